import * as z from "zod/mini";
import { text } from "#lib/contracts/api/parameters";

export const setupBody = z.object({
  token: text(200).check(z.minLength(1)),
  email: z.email("Enter an email address.").check(z.maxLength(254)),
  name: z.optional(text(120).check(z.trim())),
  password: text(1000),
  workspaceName: z.optional(text(120).check(z.trim())),
});
export type SetupBody = z.infer<typeof setupBody>;

export const setupState = z.enum(["open", "used", "expired", "unknown", "done"]);
export type SetupState = z.infer<typeof setupState>;

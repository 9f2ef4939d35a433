import * as z from "zod/mini";
import { optionalName, text } from "#lib/contracts/api/parameters";

export const setupBody = z.object({
  token: text(200).check(z.minLength(1)),
  email: z.email("Enter an email address.").check(z.maxLength(254)),
  name: optionalName(120),
  password: text(1000),
  workspaceName: optionalName(120),
});
export type SetupBody = z.infer<typeof setupBody>;

export const setupState = z.enum(["open", "used", "expired", "unknown", "done"]);
export type SetupState = z.infer<typeof setupState>;

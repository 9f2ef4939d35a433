import * as z from "zod/mini";

/** `POST /api/setup`: creates the first owner by the one-time link that the terminal printed. */
export const setupBody = z.object({
  token: z.string().check(z.minLength(1), z.maxLength(200)),
  email: z.email("Enter an e-mail address.").check(z.maxLength(254)),
  name: z.optional(z.string().check(z.trim(), z.maxLength(120))),
  password: z.string().check(z.maxLength(1000)),
  workspaceName: z.optional(z.string().check(z.trim(), z.maxLength(120))),
});
export type SetupBody = z.infer<typeof setupBody>;

/** What a set-up link is worth: `done` when there is an owner already. */
export const setupState = z.enum(["open", "used", "expired", "unknown", "done"]);
export type SetupState = z.infer<typeof setupState>;

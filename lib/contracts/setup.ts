import { z } from "zod";

/** `POST /api/setup`: creates the first owner by the one-time link that the terminal printed. */
export const setupBody = z.object({
  token: z.string().min(1).max(200),
  email: z.email("Enter an e-mail address.").max(254),
  name: z.string().trim().max(120).optional(),
  password: z.string().max(1000),
  workspaceName: z.string().trim().max(120).optional(),
});
export type SetupBody = z.infer<typeof setupBody>;

/** What a set-up link is worth: `done` when there is an owner already. */
export const setupState = z.enum(["open", "used", "expired", "unknown", "done"]);
export type SetupState = z.infer<typeof setupState>;

import { z } from "zod";
import { role } from "./settings.ts";

/** `GET /api/v1/invitations`: links that were made and not used yet; never a link itself. */
export const invitation = z.object({
  id: z.string(),
  role,
  email: z.string().nullable(),
  createdBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Invitation = z.infer<typeof invitation>;
export const invitationList = z.object({ data: z.array(invitation), nextCursor: z.null() });

/** `email`: when given, only an account with that address may accept. */
export const inviteBody = z.object({
  role,
  email: z.preprocess((value) => (value === "" ? undefined : value), z.email("Enter an e-mail address.").max(254).optional()),
  validDays: z.coerce.number().int().min(1).max(30).default(7),
});
export type InviteBody = z.infer<typeof inviteBody>;

/** The link is in this answer alone. */
export const createdInvitation = invitation.extend({ url: z.string() });

/** What an invitation's link is worth. */
export const invitationState = z.enum(["open", "used", "expired", "revoked", "unknown"]);
export type InvitationState = z.infer<typeof invitationState>;

/** `POST /api/join`: accepts an invitation with a new account, or, without one, as the person who is signed in. */
export const joinBody = z.object({
  token: z.string().min(1).max(200),
  account: z
    .object({
      email: z.email("Enter an e-mail address.").max(254),
      name: z.string().trim().max(120).optional(),
      password: z.string().max(1000),
    })
    .optional(),
});
export type JoinBody = z.infer<typeof joinBody>;

export const changeRoleBody = z.object({ role });

import * as z from "zod/mini";
import { text } from "#lib/contracts/api/parameters";
import { role } from "./settings.ts";

/** `GET /api/v1/invitations`: links that were made and not used yet; never a link itself. */
export const invitation = z.object({
  id: z.string(),
  role,
  email: z.nullable(z.string()),
  createdBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Invitation = z.infer<typeof invitation>;
export const invitationList = z.object({ data: z.array(invitation), nextCursor: z.null() });

/** `email`: when given, only an account with that address may accept. */
export const inviteBody = z.object({
  role,
  email: z.optional(
    z.pipe(
      z.transform((value) => (value === "" ? undefined : value)),
      z.optional(z.email("Enter an email address.").check(z.maxLength(254))),
    ),
  ),
  validDays: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(30)), 7),
});
export type InviteBody = z.infer<typeof inviteBody>;

/** The link is in this answer alone. */
export const createdInvitation = z.extend(invitation, { url: z.string() });

/** State of an invitation's link. */
export const invitationState = z.enum(["open", "used", "expired", "revoked", "unknown"]);
export type InvitationState = z.infer<typeof invitationState>;

/** `POST /api/join`: accepts an invitation with a new account, or, without one, as the person who is signed in. */
export const joinBody = z.object({
  token: text(200).check(z.minLength(1)),
  account: z.optional(
    z.object({
      email: z.email("Enter an email address.").check(z.maxLength(254)),
      name: z.optional(text(120).check(z.trim())),
      password: text(1000),
    }),
  ),
});
export type JoinBody = z.infer<typeof joinBody>;

/** `PATCH /api/v1/members/{id}`. `endApiKeys`: the keys that the member made, and those made with these, stop working. */
export const changeRoleBody = z.object({ role, endApiKeys: z._default(z.boolean(), false) });

/** `DELETE /api/v1/members/{id}?endApiKeys=true`, and `me`: with the keys that the member made, and those made with these. */
export const removeMemberQuery = z.object({ endApiKeys: z._default(z.stringbool(), false) });

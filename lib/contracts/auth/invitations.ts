import * as z from "zod/mini";
import { optionalName, pageOf, text } from "#lib/contracts/api/parameters";
import { role } from "./settings.ts";

export const invitation = z.object({
  id: z.string(),
  role,
  email: z.nullable(z.string()),
  createdBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Invitation = z.infer<typeof invitation>;
export const invitationList = pageOf(invitation);

/** `email`: if given, only an account with that address may accept. */
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

export const createdInvitation = z.extend(invitation, { url: z.string() });

export const invitationState = z.enum(["open", "used", "expired", "revoked", "unknown"]);
export type InvitationState = z.infer<typeof invitationState>;

/** Without an account, the person who is signed in accepts. */
export const joinBody = z.object({
  token: text(200).check(z.minLength(1)),
  account: z.optional(
    z.object({
      email: z.email("Enter an email address.").check(z.maxLength(254)),
      name: optionalName(120),
      password: text(1000),
    }),
  ),
});
export type JoinBody = z.infer<typeof joinBody>;

/** `endApiKeys`: the keys that the member made, and those made with these, stop working. */
export const changeRoleBody = z.object({ role, endApiKeys: z._default(z.boolean(), false) });

export const removeMemberQuery = z.object({ endApiKeys: z._default(z.stringbool(), false) });

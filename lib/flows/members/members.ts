import type * as z from "zod/mini";
import { authorize } from "#lib/auth/actor";
import { insertApiKeyFor, revokeApiKey } from "#lib/auth/api-key-store";
import { auditOf, type Context } from "#lib/auth/audit/audit";
import { findActor } from "#lib/auth/find-actor";
import { findInvitation, insertInvitation, joinWorkspace, revokeInvitation } from "#lib/auth/members/invitation-store";
import { normalEmail } from "#lib/auth/members/user-store";
import { enterWorkspace } from "#lib/auth/session-store";
import { hashPassword, passwordProblem } from "#lib/auth/sign-in/password";
import { env } from "#lib/config/env";
import { AppError, expectFound, invalidField } from "#lib/contracts/api/app-error";
import type { Invitation, InvitationState, InviteBody, JoinBody } from "#lib/contracts/auth/invitations";
import type { createApiKeyBody, createdApiKey } from "#lib/contracts/auth/settings";
import { hashToken } from "#lib/vault/opaque-token";

// The stores audit each change in the transaction that makes it.
export { changeRole, leaveWorkspace, removeMember } from "#lib/auth/members/member-store";
export { changeSettings } from "#lib/auth/members/workspace-store";

/** Returns the invite with its link, which is kept nowhere. @throws AppError `forbidden` when only an owner may invite to the role */
export async function inviteMember(context: Context, body: InviteBody): Promise<Invitation & { url: string }> {
  if (body.role === "owner") authorize(context.actor, "owners.manage");
  const { token, ...invitation } = await insertInvitation(context, body);
  return { ...invitation, url: `${env().APP_URL}/join?token=${token}` };
}

/** @throws AppError `not_found` when the invite is missing, or can't be used any more */
export async function withdrawInvitation(context: Context, id: string): Promise<void> {
  if (!(await revokeInvitation(context, id)))
    throw new AppError("not_found", "There is no invite with that ID, or it was already used or revoked.");
}

export const INVITE_REJECTED: Record<Exclude<InvitationState, "open">, string> = {
  used: "This invite was already used. Each invite works for one person: ask for a new one.",
  expired: "This invite has expired. Ask for a new one.",
  revoked: "This invite was revoked. Ask the person who sent it for a new one.",
  unknown: "This invite doesn't belong to this Signalbox. Open the complete link, as it was sent.",
};

const NOT_JOINED = {
  used: INVITE_REJECTED.used,
  known_email:
    "An account with this email address already exists. Sign in, then open the invite again. If you can't sign in, ask for an invite to this address.",
  member_already: "You are already a member of this workspace.",
} as const;

/** Accepts an invite with a new account, or as the signed-in person, who gets a Set-Cookie line for the workspace.
 * @throws AppError `conflict` when the invite can't be used, `invalid_request` for a weak password */
export async function acceptInvitation(headers: Headers, { token, account }: JoinBody, now: Date): Promise<string | null> {
  const invitation = await findInvitation(hashToken(token), now);
  if (invitation.state !== "open") throw new AppError("conflict", INVITE_REJECTED[invitation.state]);
  const actor = account ? null : await findActor(headers, now);
  if (!account && actor?.by.kind !== "session")
    throw new AppError("unauthenticated", "Sign in, or create an account, to accept the invite.");
  const email = account ? normalEmail(account.email) : actor?.by.kind === "session" ? actor.by.email : "";
  if (invitation.email && invitation.email !== email)
    throw new AppError("conflict", `This invite is for ${invitation.email}. Use the account with that email address.`);
  const person = account ? await newPerson(email, account) : { userId: actor?.by.kind === "session" ? actor.by.userId : "", email };
  const joined = await joinWorkspace(invitation, person, now);
  if (joined.outcome !== "joined") throw new AppError("conflict", NOT_JOINED[joined.outcome]);
  return actor && enterWorkspace({ actor, audit: auditOf(actor) }, invitation.workspaceId);
}

async function newPerson(email: string, { name, password }: NonNullable<JoinBody["account"]>) {
  const words = passwordProblem(password, email);
  if (words) throw new AppError("invalid_request", words, { errors: [{ path: "account.password", message: words }] });
  return { email, name: name || null, passwordHash: await hashPassword(password) };
}

/** Creates an API key, whose text is returned once and kept nowhere. @throws AppError `invalid_request` when it would have expired */
export async function createApiKey(
  { actor, now, audit }: Context,
  { name, role, expiresAt }: z.infer<typeof createApiKeyBody>,
): Promise<z.infer<typeof createdApiKey>> {
  const end = expiresAt ? new Date(expiresAt) : null;
  if (end && end <= now) throw invalidField("expiresAt", "must be in the future.");
  const created = await insertApiKeyFor(actor, { name, role, expiresAt: end });
  await audit.record({
    action: "key.created",
    target: { kind: "key", id: created.id, name },
    after: { name, role, expiresAt: created.expiresAt },
  });
  return created;
}

/** @throws AppError `not_found` when the workspace has no such active key */
export async function endApiKey({ workspaceId, now, audit }: Context, id: string): Promise<void> {
  const revoked = await expectFound(revokeApiKey(workspaceId, id, now), "API key with that ID, or it was already revoked");
  const { name, role, createdAt, lastUsedAt, expiresAt } = revoked;
  const target = { kind: "key", id, name };
  await audit.record({ action: "key.revoked", target, before: { name, role, createdAt, lastUsedAt, expiresAt } });
}

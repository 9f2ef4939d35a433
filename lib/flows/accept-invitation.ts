import { findActor } from "#lib/auth/find-actor";
import { findInvitation } from "#lib/auth/invitation-store";
import { joinWorkspace } from "#lib/auth/join-store";
import { hashPassword, passwordProblem } from "#lib/auth/password";
import { enterWorkspace } from "#lib/auth/session-rotation-store";
import { normalEmail } from "#lib/auth/user-store";
import { AppError } from "#lib/contracts/app-error";
import type { InvitationState, JoinBody } from "#lib/contracts/invitations";
import { hashToken } from "#lib/vault/opaque-token";

/** Why a link is worth nothing, in words. */
export const INVITATION_REFUSED: Record<Exclude<InvitationState, "open">, string> = {
  used: "This invitation was used before. Each is good for one person: ask for a new one.",
  expired: "This invitation has expired. Ask for a new one.",
  revoked: "This invitation was taken back. Ask whoever sent it.",
  unknown: "This is not an invitation of this Signalbox. Open the whole link, as it was sent.",
};

const NOT_JOINED = {
  used: INVITATION_REFUSED.used,
  known_email: "There is an account with this address already. Sign in with it, then open the invitation again.",
  member_already: "You are a member of this workspace already.",
} as const;

/**
 * Accepts an invitation: with a new account, or as the person who is signed in.
 *
 * @param headers whose browser it is
 * @returns a Set-Cookie line that takes somebody who is signed in to the new workspace; null for a new account, which signs in next
 * @throws AppError `conflict` when the link is worth nothing, `invalid_request` for a weak password
 */
export async function acceptInvitation(headers: Headers, { token, account }: JoinBody, now = new Date()): Promise<string | null> {
  const invitation = await findInvitation(hashToken(token), now);
  if (invitation.state !== "open") throw new AppError("conflict", INVITATION_REFUSED[invitation.state]);
  const actor = account ? null : await findActor(headers, now);
  if (!account && actor?.by.kind !== "session")
    throw new AppError("unauthenticated", "Sign in, or make an account, to accept the invitation.");
  const email = account ? normalEmail(account.email) : actor?.by.kind === "session" ? actor.by.email : "";
  if (invitation.email && invitation.email !== email)
    throw new AppError("conflict", `This invitation is for ${invitation.email}. Use the account with that address.`);
  const person = account ? await newPerson(email, account) : { userId: actor?.by.kind === "session" ? actor.by.userId : "", email };
  const joined = await joinWorkspace(invitation, person, now);
  if (joined.outcome !== "joined") throw new AppError("conflict", NOT_JOINED[joined.outcome]);
  return actor?.by.kind === "session" ? enterWorkspace({ ...actor, by: actor.by }, invitation.workspaceId) : null;
}

async function newPerson(email: string, { name, password }: NonNullable<JoinBody["account"]>) {
  const words = passwordProblem(password, email);
  if (words) throw new AppError("invalid_request", words, { errors: [{ path: "account.password", message: words }] });
  return { email, name: name || null, passwordHash: await hashPassword(password) };
}

import { auditOf } from "#lib/auth/audit/audit";
import { findActor } from "#lib/auth/find-actor";
import { findInvitation } from "#lib/auth/members/invitation-store";
import { joinWorkspace } from "#lib/auth/members/join-store";
import { normalEmail } from "#lib/auth/members/user-store";
import { enterWorkspace } from "#lib/auth/sessions/rotation-store";
import { hashPassword, passwordProblem } from "#lib/auth/sign-in/password";
import { AppError } from "#lib/contracts/api/app-error";
import type { InvitationState, JoinBody } from "#lib/contracts/auth/invitations";
import { hashToken } from "#lib/vault/opaque-token";

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
  return actor?.by.kind === "session" ? enterWorkspace({ ...actor, by: actor.by }, invitation.workspaceId, auditOf(actor)) : null;
}

async function newPerson(email: string, { name, password }: NonNullable<JoinBody["account"]>) {
  const words = passwordProblem(password, email);
  if (words) throw new AppError("invalid_request", words, { errors: [{ path: "account.password", message: words }] });
  return { email, name: name || null, passwordHash: await hashPassword(password) };
}

import { type Actor, authorize } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { insertInvitation, revokeInvitation } from "#lib/auth/members/invitation-store";
import { changeRole, type EndOfRights, leaveWorkspace, removeMember } from "#lib/auth/members/member-store";
import type { Person } from "#lib/auth/members/person";
import { renameWorkspace } from "#lib/auth/members/workspace-store";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import type { Invitation, InviteBody } from "#lib/contracts/auth/invitations";
import type { Role } from "#lib/contracts/auth/settings";

// The stores audit each change in the transaction that makes it.

/** Returns the invite with its link, which is kept nowhere. @throws AppError `forbidden` when only an owner may invite to the role */
export async function inviteMember(actor: Actor, body: InviteBody, now: Date, audit: Audit): Promise<Invitation & { url: string }> {
  if (body.role === "owner") authorize(actor, "owners.manage");
  const { token, ...invitation } = await insertInvitation(actor, body, now, audit);
  return { ...invitation, url: `${env().APP_URL}/join?token=${token}` };
}

/** @throws AppError `not_found` when the invite is missing, or can't be used any more */
export async function withdrawInvitation(actor: Actor, id: string, now: Date, audit: Audit): Promise<void> {
  if (!(await revokeInvitation(actor, id, now, audit)))
    throw new AppError("not_found", "There is no invite with that ID, or it was already used or revoked.");
}

/** Ends the member's sessions in the workspace, and with a lower role the unused invites that they made. */
export const changeMemberRole = (actor: Actor, userId: string, role: Role, end: EndOfRights, audit: Audit): Promise<void> =>
  changeRole(actor, userId, role, end, audit);

/** Removes a member and their unused invites at once; the account stays. */
export const endMembership = (actor: Actor, userId: string, end: EndOfRights, audit: Audit): Promise<void> =>
  removeMember(actor, userId, end, audit);

/** Leaves the workspace. The last owner can't. */
export const endOwnMembership = (actor: Person, end: EndOfRights, audit: Audit): Promise<void> => leaveWorkspace(actor, end, audit);

export const changeWorkspaceName = (actor: Actor, name: string, audit: Audit): Promise<void> => renameWorkspace(actor, name, audit);

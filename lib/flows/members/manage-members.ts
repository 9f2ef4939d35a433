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

// Members of a workspace. The stores record each change in the audit log, in the transaction that makes it.

/**
 * Creates an invitation.
 *
 * @returns the invitation with its link, which is shown once and kept nowhere
 * @throws AppError `forbidden` when only an owner may invite to the role
 */
export async function inviteMember(actor: Actor, body: InviteBody, now: Date, audit: Audit): Promise<Invitation & { url: string }> {
  if (body.role === "owner") authorize(actor, "owners.manage");
  const { token, ...invitation } = await insertInvitation(actor, body, now, audit);
  return { ...invitation, url: `${env().APP_URL}/join?token=${token}` };
}

/** @throws AppError `not_found` when there is no such invitation that can still be used */
export async function withdrawInvitation(actor: Actor, id: string, now: Date, audit: Audit): Promise<void> {
  if (!(await revokeInvitation(actor, id, now, audit)))
    throw new AppError("not_found", "There is no invite with that ID, or it was already used or revoked.");
}

/** Gives a member another role. Their sessions in the workspace end at once; with a lower role, so do their unused invitations. */
export const changeMemberRole = (actor: Actor, userId: string, role: Role, end: EndOfRights, audit: Audit): Promise<void> =>
  changeRole(actor, userId, role, end, audit);

/** Removes a member from the workspace, at once, with the unused invitations that they made. The account stays. */
export const endMembership = (actor: Actor, userId: string, end: EndOfRights, audit: Audit): Promise<void> =>
  removeMember(actor, userId, end, audit);

/** Leaves the workspace. The last owner can't. */
export const endOwnMembership = (actor: Person, end: EndOfRights, audit: Audit): Promise<void> => leaveWorkspace(actor, end, audit);

/** Gives the workspace another name. */
export const changeWorkspaceName = (actor: Actor, name: string, audit: Audit): Promise<void> => renameWorkspace(actor, name, audit);

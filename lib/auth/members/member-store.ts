import type pg from "pg";
import { type Actor, authorize } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { endSessions, rightsChanged } from "#lib/auth/sessions/session-store";
import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { ROLES, type Role } from "#lib/contracts/auth/settings";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { type EndedAccess, endGivenAccess } from "./given-access-store.ts";
import type { Person } from "./person.ts";

/** `apiKeys`: also end the API keys that the member made. */
export type EndOfRights = { apiKeys: boolean; now: Date };

type Found = { userId: string; email: string; role: Role };

const LAST_OWNER = "This is the workspace's last owner. Make someone else an owner first.";

/** Changes a role and ends the member's sessions here; a lower one also ends their invites. @throws AppError `conflict` (last owner) */
export async function changeRole(actor: Actor, userId: string, role: Role, end: EndOfRights, audit: Audit): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const member = await lockMember(client, actor.workspaceId, userId);
    if (member.role === "owner" || role === "owner") authorize(actor, "owners.manage");
    if (member.role === role) return audit.unchanged();
    if (member.role === "owner") await keepAnOwner(client, actor.workspaceId);
    await prisma(client).membership.updateMany({ where: { workspaceId: actor.workspaceId, userId }, data: { role } });
    await endSessions(client, userId, { in: actor.workspaceId });
    const target = { kind: "member", id: userId, name: member.email };
    const lower = ROLES.indexOf(role) > ROLES.indexOf(member.role);
    const ended = lower || end.apiKeys ? await endGivenAccess(client, actor, member, end, audit) : null;
    const entry = { action: "member.role_changed", target, before: { role: member.role }, after: { role, ...counted(ended) } } as const;
    await audit.record(entry, client);
  });
  rightsChanged(actor.workspaceId);
}

/** Removes a member; their sessions here and the invites they gave out end. @throws AppError as `changeRole` */
export async function removeMember(actor: Actor, userId: string, end: EndOfRights, audit: Audit): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const member = await lockMember(client, actor.workspaceId, userId);
    if (member.role === "owner") authorize(actor, "owners.manage");
    await takeOut(client, actor.workspaceId, member);
    const ended = counted(await endGivenAccess(client, actor, member, end, audit));
    const target = { kind: "member", id: userId, name: member.email };
    await audit.record({ action: "member.removed", target, before: { role: member.role }, after: ended }, client);
  });
  rightsChanged(actor.workspaceId);
}

/** Leaves the workspace; this session ends too. @throws AppError `conflict` for the last owner */
export async function leaveWorkspace(actor: Person, end: EndOfRights, audit: Audit): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const member = await lockMember(client, actor.workspaceId, actor.by.userId);
    await takeOut(client, actor.workspaceId, member);
    const ended = counted(await endGivenAccess(client, actor, member, end, audit));
    const target = { kind: "member", id: member.userId, name: member.email };
    await audit.record({ action: "member.left", target, before: { role: member.role }, after: ended }, client);
  });
  rightsChanged(actor.workspaceId);
}

const counted = (ended: EndedAccess | null) => Object.fromEntries(Object.entries(ended ?? {}).filter(([, count]) => count > 0));

async function takeOut(client: pg.PoolClient, workspaceId: WorkspaceId, { userId, role }: Found): Promise<void> {
  if (role === "owner") await keepAnOwner(client, workspaceId);
  await prisma(client).membership.deleteMany({ where: { workspaceId, userId } });
  await endSessions(client, userId, { in: workspaceId });
}

/** Locks the workspace first: of two owners who remove each other at once, one stays. */
async function lockMember(client: pg.PoolClient, workspaceId: WorkspaceId, userId: string): Promise<Found> {
  await client.query("SELECT 1 FROM workspaces WHERE id = $1 FOR UPDATE", [workspaceId]);
  const member = await prisma(client).membership.findFirst({
    where: { workspaceId, userId },
    select: { role: true, user: { select: { email: true } } },
  });
  if (!member) throw new AppError("not_found", "There is no member with that ID.");
  return { userId, email: member.user.email, role: member.role };
}

async function keepAnOwner(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<void> {
  const owners = await prisma(client).membership.count({ where: { workspaceId, role: "owner" } });
  if (owners < 2) throw new AppError("conflict", LAST_OWNER);
}

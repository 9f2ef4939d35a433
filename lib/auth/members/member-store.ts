import type pg from "pg";
import { type Actor, authorize, requirePerson } from "#lib/auth/actor";
import { auditOfWho, type Context } from "#lib/auth/audit/audit";
import { endSessions, rightsChanged } from "#lib/auth/session-store";
import { AppError, expectFound } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { ROLES } from "#lib/contracts/auth/roles";
import type { Role } from "#lib/contracts/auth/settings";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { queryCount, queryValue } from "#lib/db/rows";

/** A change of rights; single sign-on has no actor. */
type Change = Omit<Context, "actor">;

type Found = { userId: string; email: string; role: Role };

const LAST_OWNER = "This is the workspace's last owner. Make someone else an owner first.";

/** Changes a role and ends the member's sessions here; a lower one also ends their invites. @throws AppError `conflict` (last owner) */
export async function changeRole(context: Context, userId: string, role: Role, endApiKeys: boolean): Promise<void> {
  const { workspaceId, actor, audit } = context;
  await inTransaction(pool(), async (client) => {
    const member = await lockMember(client, workspaceId, userId);
    if (member.role === "owner" || role === "owner") authorize(actor, "owners.manage");
    if (member.role === role) return audit.unchanged();
    if (member.role === "owner" && (await isLastOwner(client, workspaceId))) throw new AppError("conflict", LAST_OWNER);
    await replaceRole(client, context, member, { role }, endApiKeys);
  });
  rightsChanged(workspaceId);
}

/** Gives a member the role that the single sign-on provider names. @returns false for the last owner, who keeps theirs */
export async function giveRole(workspaceId: WorkspaceId, userId: string, role: Role, now: Date): Promise<boolean> {
  const given = await inTransaction(pool(), async (client) => {
    const member = await lockMember(client, workspaceId, userId);
    if (member.role === "owner" && role !== "owner" && (await isLastOwner(client, workspaceId))) return false;
    const who = { kind: "person", id: userId, name: member.email, credential: null } as const;
    await replaceRole(
      client,
      { workspaceId, now, audit: auditOfWho(workspaceId, who, client) },
      member,
      { role, by: "single sign-on" },
      false,
    );
    return true;
  });
  if (given) rightsChanged(workspaceId);
  return given;
}

async function replaceRole(
  client: pg.PoolClient,
  change: Change,
  member: Found,
  after: { role: Role; by?: string },
  endApiKeys: boolean,
): Promise<void> {
  const { workspaceId, audit } = change;
  const { userId, email, role: before } = member;
  await prisma(client).membership.updateMany({ where: { workspaceId, userId }, data: { role: after.role } });
  await endSessions(client, userId, { in: workspaceId });
  const lower = ROLES.indexOf(after.role) > ROLES.indexOf(before);
  const ended = lower || endApiKeys ? await endGivenAccess(client, change, member, endApiKeys) : null;
  const target = { kind: "member", id: userId, name: email };
  await audit.record({ action: "member.role_changed", target, before: { role: before }, after: { ...after, ...counted(ended) } }, client);
}

/** Removes a member; their sessions here and the invites they gave out end. @throws AppError as `changeRole` */
export const removeMember = (context: Context, userId: string, endApiKeys: boolean): Promise<void> =>
  takeOut(context, userId, "member.removed", endApiKeys);

/** Leaves the workspace; this session ends too. @throws AppError `conflict` for the last owner, and for an API key */
export async function leaveWorkspace(context: Context, endApiKeys: boolean): Promise<void> {
  const { actor } = context;
  requirePerson(actor);
  await takeOut(context, actor.by.userId, "member.left", endApiKeys);
}

const counted = (ended: EndedAccess | null) => Object.fromEntries(Object.entries(ended ?? {}).filter(([, count]) => count > 0));

async function takeOut(context: Context, userId: string, action: "member.removed" | "member.left", endApiKeys: boolean): Promise<void> {
  const { workspaceId, actor, audit } = context;
  await inTransaction(pool(), async (client) => {
    const member = await lockMember(client, workspaceId, userId);
    if (action === "member.removed" && member.role === "owner") authorize(actor, "owners.manage");
    if (member.role === "owner" && (await isLastOwner(client, workspaceId))) throw new AppError("conflict", LAST_OWNER);
    await prisma(client).membership.deleteMany({ where: { workspaceId, userId } });
    await endSessions(client, userId, { in: workspaceId });
    const after = counted(await endGivenAccess(client, context, member, endApiKeys));
    await audit.record(
      { action, target: { kind: "member", id: userId, name: member.email }, before: { role: member.role }, after },
      client,
    );
  });
  rightsChanged(workspaceId);
}

/** Locks the workspace first: of two owners who remove each other at once, one stays. */
async function lockMember(client: pg.PoolClient, workspaceId: WorkspaceId, userId: string): Promise<Found> {
  await client.query("SELECT 1 FROM workspaces WHERE id = $1 FOR UPDATE", [workspaceId]);
  const member = await expectFound(
    prisma(client).membership.findFirst({
      where: { workspaceId, userId },
      select: { role: true, user: { select: { email: true } } },
    }),
    "member with that ID",
  );
  return { userId, email: member.user.email, role: member.role };
}

const isLastOwner = async (client: pg.PoolClient, workspaceId: WorkspaceId): Promise<boolean> =>
  (await prisma(client).membership.count({ where: { workspaceId, role: "owner" } })) < 2;

type EndedAccess = { invitesRevoked: number; apiKeysRevoked: number };

type Giver = { userId: string; email: string };

/** Keys that a person made, also by means of such a key. Earlier versions kept only the person's name. */
export const GIVEN_KEYS = `
  given AS (
    SELECT k.id, u.id AS user_id, k.workspace_id FROM api_keys k
      JOIN users u ON k.created_by_id = u.id OR (k.created_by_id IS NULL AND k.created_by = u.email)
    UNION
    SELECT k.id, g.user_id, g.workspace_id FROM api_keys k JOIN given g ON k.created_by_id = g.id AND k.workspace_id = g.workspace_id
  )`;

const REVOKE_INVITES = `
  WITH RECURSIVE ${GIVEN_KEYS}
  UPDATE invitations SET revoked_at = $4
   WHERE workspace_id = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $4
     AND (created_by_id = $2 OR (created_by_id IS NULL AND created_by = $3)
       OR created_by_id IN (SELECT id FROM given WHERE user_id = $2 AND workspace_id = $1))
  RETURNING id, role, email`;

const REVOKE_KEYS = `
  WITH RECURSIVE ${GIVEN_KEYS}
  UPDATE api_keys SET revoked_at = $3
   WHERE workspace_id = $1 AND revoked_at IS NULL AND id IN (SELECT id FROM given WHERE user_id = $2 AND workspace_id = $1)
  RETURNING id, name, role`;

/** Ends invites (and API keys) that a person gave out. Call after the rights end, in that transaction: grants made meanwhile fail. */
export async function endGivenAccess(
  client: pg.PoolClient,
  { workspaceId, now, audit }: Change,
  { userId, email }: Giver,
  apiKeys: boolean,
): Promise<EndedAccess> {
  const values = [workspaceId, userId, email, now];
  const invites = await client.query<{ id: string; role: Role; email: string | null }>(REVOKE_INVITES, values);
  for (const { id, role, email: name } of invites.rows)
    await audit.record(
      { action: "invitation.revoked", target: { kind: "invitation", id, name }, before: { role, createdBy: email } },
      client,
    );
  const keys = apiKeys ? await client.query<{ id: string; name: string; role: Role }>(REVOKE_KEYS, [workspaceId, userId, now]) : null;
  for (const { id, name, role } of keys?.rows ?? [])
    await audit.record({ action: "key.revoked", target: { kind: "key", id, name }, before: { name, role, createdBy: email } }, client);
  return { invitesRevoked: invites.rows.length, apiKeysRevoked: keys?.rows.length ?? 0 };
}

export const countGivenKeys = (client: pg.PoolClient, workspaceId: WorkspaceId, userId: string, now: Date): Promise<number> =>
  queryCount<{ keys: number }>(
    client,
    `WITH RECURSIVE ${GIVEN_KEYS}
     SELECT count(DISTINCT k.id)::int AS keys FROM given g JOIN api_keys k ON k.id = g.id
      WHERE g.user_id = $2 AND g.workspace_id = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $3)`,
    [workspaceId, userId, now],
  );

/** Returns who asks or made the API key that asks; null if no account made it. */
export async function findPersonOf({ workspaceId, by }: Actor): Promise<string | null> {
  if (by.kind === "session") return by.userId;
  return queryValue<{ id: string }>(
    pool(),
    `WITH RECURSIVE ${GIVEN_KEYS} SELECT user_id AS id FROM given WHERE id = $1 AND workspace_id = $2 LIMIT 1`,
    [by.keyId, workspaceId],
  );
}

/** Locks the actor's rights, so that what is given out ends with them. @throws AppError `forbidden` if they have ended */
export async function holdRights(client: pg.PoolClient, { workspaceId, role, by }: Actor): Promise<void> {
  const held =
    by.kind === "session"
      ? await client.query("SELECT 1 FROM memberships WHERE workspace_id = $1 AND user_id = $2 AND role = $3 FOR SHARE", [
          workspaceId,
          by.userId,
          role,
        ])
      : await client.query("SELECT 1 FROM api_keys WHERE workspace_id = $1 AND id = $2 AND role = $3 AND revoked_at IS NULL FOR SHARE", [
          workspaceId,
          by.keyId,
          role,
        ]);
  if (held.rowCount !== 1) throw new AppError("forbidden", "Your access changed while this request was running. Sign in again.");
}

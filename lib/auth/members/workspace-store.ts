import type pg from "pg";
import { type Actor, actorName } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { newId, workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Role } from "#lib/contracts/auth/settings";
import { inTransaction, pool } from "#lib/db/pool";

/** A workspace as one of its members sees it. */
export type OwnWorkspace = { id: WorkspaceId; name: string; role: Role };

/** The workspaces that a person is a member of, the one joined first first. */
export async function listWorkspacesOf(userId: string): Promise<OwnWorkspace[]> {
  const { rows } = await pool().query<OwnWorkspace>(
    `SELECT w.id, w.name, m.role FROM memberships m JOIN workspaces w ON w.id = m.workspace_id
      WHERE m.user_id = $1 ORDER BY m.created_at, w.id`,
    [userId],
  );
  return rows.map((row) => ({ ...row, id: toWorkspaceId.parse(row.id) }));
}

/** Makes a workspace that this person owns. */
export async function insertWorkspace(actor: Actor & { by: { kind: "session" } }, name: string, audit: Audit): Promise<WorkspaceId> {
  const workspaceId = toWorkspaceId.parse(newId("wsp"));
  await inTransaction(pool(), async (client) => {
    await client.query("INSERT INTO workspaces (id, name) VALUES ($1, $2)", [workspaceId, name]);
    await insertMembership(client, workspaceId, actor.by.userId, "owner");
    const entry = { action: "workspace.created", target: { kind: "workspace", id: workspaceId, name }, after: { name } } as const;
    await audit.record(entry, client);
    const who = { kind: "person", id: actor.by.userId, name: actorName(actor), credential: null } as const;
    await insertAudit(workspaceId, { ...entry, who }, client);
  });
  return workspaceId;
}

/** Makes a person a member. @returns false for somebody who is one already */
export async function insertMembership(client: pg.PoolClient, workspaceId: WorkspaceId, userId: string, role: Role): Promise<boolean> {
  const { rowCount } = await client.query(
    "INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    [workspaceId, userId, role],
  );
  return rowCount === 1;
}

/** Gives the workspace another name. */
export async function renameWorkspace({ workspaceId }: Actor, name: string, audit: Audit): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const { rows } = await client.query<{ name: string }>("SELECT name FROM workspaces WHERE id = $1 FOR UPDATE", [workspaceId]);
    await client.query("UPDATE workspaces SET name = $2 WHERE id = $1", [workspaceId, name]);
    const target = { kind: "workspace", id: workspaceId, name };
    await audit.record({ action: "workspace.renamed", target, before: { name: rows[0]?.name }, after: { name } }, client);
  });
}

/** Every workspace of the installation, the oldest first; for work of the installation itself. */
export async function listWorkspaces(): Promise<{ id: WorkspaceId; name: string }[]> {
  return (await pool().query<{ id: WorkspaceId; name: string }>("SELECT id, name FROM workspaces ORDER BY created_at")).rows;
}

/** A workspace's name; empty when it is gone. */
export async function findWorkspaceName(id: WorkspaceId): Promise<string> {
  const { rows } = await pool().query<{ name: string }>("SELECT name FROM workspaces WHERE id = $1", [id]);
  return rows[0]?.name ?? "";
}

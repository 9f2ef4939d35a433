import type pg from "pg";
import { actorName, requirePerson } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { newId, workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Role } from "#lib/contracts/auth/settings";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

export type OwnWorkspace = { id: WorkspaceId; name: string; role: Role };

/** Lists workspaces in the order in which the person joined. */
export async function listWorkspacesOf(userId: string): Promise<OwnWorkspace[]> {
  const rows = await prisma().membership.findMany({
    where: { userId },
    select: { role: true, workspace: { select: { id: true, name: true } } },
    orderBy: [{ createdAt: "asc" }, { workspaceId: "asc" }],
  });
  return rows.map(({ role, workspace: { id, name } }) => ({ id: toWorkspaceId.parse(id), name, role }));
}

/** @throws AppError `conflict` for an API key */
export async function insertWorkspace({ actor, audit }: Context, name: string): Promise<WorkspaceId> {
  requirePerson(actor);
  const { userId } = actor.by;
  const workspaceId = toWorkspaceId.parse(newId("wsp"));
  await inTransaction(pool(), async (client) => {
    await prisma(client).workspace.create({ data: { id: workspaceId, name } });
    await insertMembership(client, workspaceId, userId, "owner");
    const entry = { action: "workspace.created", target: { kind: "workspace", id: workspaceId, name }, after: { name } } as const;
    await audit.record(entry, client);
    const who = { kind: "person", id: userId, name: actorName(actor), credential: null } as const;
    await insertAudit(workspaceId, { ...entry, who }, client);
  });
  return workspaceId;
}

/** Returns false for somebody who is a member already. */
export async function insertMembership(client: pg.PoolClient, workspaceId: WorkspaceId, userId: string, role: Role): Promise<boolean> {
  const { count } = await prisma(client).membership.createMany({ data: [{ workspaceId, userId, role }], skipDuplicates: true });
  return count === 1;
}

export async function renameWorkspace({ workspaceId, audit }: Context, name: string): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const { rows } = await client.query<{ name: string }>("SELECT name FROM workspaces WHERE id = $1 FOR UPDATE", [workspaceId]);
    await prisma(client).workspace.updateMany({ where: { id: workspaceId }, data: { name } });
    const target = { kind: "workspace", id: workspaceId, name };
    await audit.record({ action: "workspace.renamed", target, before: { name: rows[0]?.name }, after: { name } }, client);
  });
}

export async function listWorkspaces(): Promise<{ id: WorkspaceId; name: string }[]> {
  const rows = await prisma().workspace.findMany({ select: { id: true, name: true }, orderBy: { createdAt: "asc" } });
  return rows.map(({ id, name }) => ({ id: toWorkspaceId.parse(id), name }));
}

export async function findWorkspaceName(id: WorkspaceId): Promise<string> {
  return (await prisma().workspace.findFirst({ where: { id }, select: { name: true } }))?.name ?? "";
}

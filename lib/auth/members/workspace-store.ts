import type pg from "pg";
import { actorName, requirePerson } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { newId, workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/api/ids";
import { WORKSPACE_SETTINGS, type WorkspaceSetting } from "#lib/contracts/auth/account";
import type { Role } from "#lib/contracts/auth/settings";
import type { Workspace } from "#lib/db/generated/client";
import { inTransaction, pool } from "#lib/db/pool";
import { type Connection, prisma } from "#lib/db/prisma";

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

export type WorkspaceSettings = Pick<Workspace, WorkspaceSetting>;

const SETTINGS = Object.keys(WORKSPACE_SETTINGS) as WorkspaceSetting[];
const select = Object.fromEntries(SETTINGS.map((setting) => [setting, true])) as Record<WorkspaceSetting, true>;

export const findSettings = (id: WorkspaceId, from?: Connection): Promise<WorkspaceSettings> =>
  prisma(from).workspace.findFirstOrThrow({ where: { id }, select });

/** Sets what is given, and records each change. @param allowed throws within the transaction where they can't be set */
export async function changeSettings(
  { workspaceId, audit }: Context,
  given: { [S in WorkspaceSetting]?: WorkspaceSettings[S] | undefined },
  allowed?: (client: pg.PoolClient) => Promise<void>,
): Promise<WorkspaceSettings> {
  return inTransaction(pool(), async (client) => {
    await allowed?.(client);
    await client.query("SELECT FROM workspaces WHERE id = $1 FOR UPDATE", [workspaceId]);
    const before = await findSettings(workspaceId, client);
    const changed = SETTINGS.filter((setting) => given[setting] !== undefined && given[setting] !== before[setting]);
    const data = Object.fromEntries(changed.map((setting) => [setting, given[setting]]));
    const after = { ...before, ...data };
    if (changed.length === 0) audit.unchanged();
    else await prisma(client).workspace.updateMany({ where: { id: workspaceId }, data });
    for (const setting of changed) {
      const { action, field } = WORKSPACE_SETTINGS[setting];
      const target = { kind: "workspace", id: workspaceId, name: after.name };
      await audit.record({ action, target, before: { [field]: before[setting] }, after: { [field]: after[setting] } }, client);
    }
    return after;
  });
}

export async function listWorkspaces(): Promise<{ id: WorkspaceId; name: string }[]> {
  const rows = await prisma().workspace.findMany({ select: { id: true, name: true }, orderBy: { createdAt: "asc" } });
  return rows.map(({ id, name }) => ({ id: toWorkspaceId.parse(id), name }));
}

export async function findWorkspaceName(id: WorkspaceId): Promise<string> {
  return (await prisma().workspace.findFirst({ where: { id }, select: { name: true } }))?.name ?? "";
}

import type { WorkspaceId } from "#lib/contracts/api/ids";
import { prisma } from "#lib/db/prisma";

/** Every workspace of the installation, the oldest first; for work of the installation itself. */
export async function listWorkspaces(): Promise<{ id: WorkspaceId; name: string }[]> {
  const rows = await prisma().workspace.findMany({ orderBy: { createdAt: "asc" }, select: { id: true, name: true } });
  return rows.map(({ id, name }) => ({ id: id as WorkspaceId, name }));
}

/** A workspace's name; empty when it is gone. */
export async function findWorkspaceName(id: WorkspaceId): Promise<string> {
  const row = await prisma().workspace.findUnique({ where: { id }, select: { name: true } });
  return row?.name ?? "";
}

import { newId, workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/ids";
import type { Member } from "#lib/contracts/settings";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { insertAudit } from "./audit-store.ts";

/** A person with what sign-in needs. The hash never leaves lib/auth. */
export type UserWithPassword = { id: string; email: string; name: string | null; passwordHash: string | null };

/** Addresses are compared and kept in small letters. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();

/** True as soon as anyone can sign in: the set-up is over. */
export async function hasUsers(): Promise<boolean> {
  return (await prisma().user.findFirst({ select: { id: true } })) !== null;
}

export async function findByEmail(email: string): Promise<UserWithPassword | null> {
  return prisma().user.findUnique({
    where: { email: normalEmail(email) },
    select: { id: true, email: true, name: true, passwordHash: true },
  });
}

/** The oldest workspace: where the environment's source and API key belong. */
export async function findFirstWorkspace(): Promise<WorkspaceId | null> {
  const first = await prisma().workspace.findFirst({ orderBy: { createdAt: "asc" }, select: { id: true } });
  return first && toWorkspaceId.parse(first.id);
}

/** The people of a workspace, the oldest membership first. */
export async function listMembers(workspaceId: WorkspaceId): Promise<Member[]> {
  const rows = await prisma().membership.findMany({ where: { workspaceId }, include: { user: true }, orderBy: { createdAt: "asc" } });
  return rows.map(({ user, role, createdAt }) => ({
    id: user.id,
    email: user.email,
    name: user.name,
    role,
    since: createdAt.toISOString(),
  }));
}

type FirstOwner = { email: string; name: string | null; passwordHash: string; workspaceName: string };

/**
 * Creates the first person, the workspace and the ownership of it, together.
 *
 * @returns null when somebody was first: two set-ups at the same moment make one owner
 */
export async function insertFirstOwner(owner: FirstOwner): Promise<{ userId: string; workspaceId: WorkspaceId } | null> {
  return inTransaction(pool(), async (client) => {
    await client.query("SELECT pg_advisory_xact_lock(hashtext('signalbox_first_owner'))");
    const { rows } = await client.query("SELECT 1 FROM users LIMIT 1");
    if (rows.length > 0) return null;
    const userId = newId("usr");
    const workspaceId = toWorkspaceId.parse(newId("wsp"));
    await client.query("INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, $3, $4)", [
      userId,
      normalEmail(owner.email),
      owner.name,
      owner.passwordHash,
    ]);
    await client.query("INSERT INTO workspaces (id, name) VALUES ($1, $2)", [workspaceId, owner.workspaceName]);
    await client.query("INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, 'owner')", [workspaceId, userId]);
    const name = normalEmail(owner.email);
    const who = { kind: "person", id: userId, name, credential: null } as const;
    const target = { kind: "workspace", id: workspaceId, name: owner.workspaceName };
    await insertAudit(workspaceId, { action: "workspace.created", who, target, after: { owner: name } }, client);
    return { userId, workspaceId };
  });
}

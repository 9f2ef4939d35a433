import { createHash, randomBytes } from "node:crypto";
import { newId, workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Role } from "#lib/contracts/auth/settings";
import { prisma } from "#lib/db/prisma";

/** A person with a role in a workspace and a browser that is signed in. */
export type TestAccount = { workspaceId: WorkspaceId; userId: string; email: string; sessionHash: string; cookie: string };

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/**
 * Makes a person, a session and, unless one is given, a workspace; straight in
 * the database, so that it proves nothing about sign-in.
 */
export async function makeAccount(options: { role?: Role; workspaceId?: WorkspaceId; userId?: string } = {}): Promise<TestAccount> {
  const workspaceId = options.workspaceId ?? toWorkspaceId.parse(newId("wsp"));
  const userId = options.userId ?? newId("usr");
  const email = `${userId}@example.com`;
  await prisma().workspace.upsert({ where: { id: workspaceId }, create: { id: workspaceId, name: "Acme" }, update: {} });
  await prisma().user.upsert({ where: { id: userId }, create: { id: userId, email }, update: {} });
  await prisma().membership.upsert({
    where: { workspaceId_userId: { workspaceId, userId } },
    create: { workspaceId, userId, role: options.role ?? "owner" },
    update: {},
  });
  return { workspaceId, userId, email, ...(await openSession(workspaceId, userId)) };
}

/** Another browser of the same person. */
export async function openSession(
  workspaceId: WorkspaceId,
  userId: string,
  factor: string | null = null,
): Promise<{ sessionHash: string; cookie: string }> {
  const id = randomBytes(32).toString("base64url");
  const expiresAt = new Date(Date.now() + 86_400_000);
  await prisma().session.create({ data: { idHash: sha256(id), userId, workspaceId, expiresAt, factor } });
  return { sessionHash: sha256(id), cookie: `signalbox.session=${id}` };
}

import { type ConnectionId, connectionId as toConnectionId, type WorkspaceId } from "#lib/contracts/api/ids";
import { prisma } from "#lib/db/prisma";

const VALID_MS = 10 * 60_000;

export type AuthorizationAttempt = {
  stateHash: string;
  connectionId: ConnectionId;
  userId: string;
  sessionHash: string;
  redirectUri: string;
  verifierSealed: string | null;
  expiresAt: Date;
  usedAt: Date | null;
};

type NewAttempt = Omit<AuthorizationAttempt, "expiresAt" | "usedAt">;

export async function insertAttempt(workspaceId: WorkspaceId, attempt: NewAttempt, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + VALID_MS);
  await prisma().authorizationAttempt.create({ data: { ...attempt, workspaceId, createdAt: now, expiresAt } });
}

export async function findAttempt(workspaceId: WorkspaceId, stateHash: string): Promise<AuthorizationAttempt | null> {
  const row = await prisma().authorizationAttempt.findFirst({ where: { stateHash, workspaceId } });
  return row && { ...row, connectionId: toConnectionId.parse(row.connectionId) };
}

/** Uses up the attempt in one guarded statement; false if it was used, has expired or belongs to another browser session. */
export async function claimAttempt(workspaceId: WorkspaceId, stateHash: string, sessionHash: string, now: Date): Promise<boolean> {
  const { count } = await prisma().authorizationAttempt.updateMany({
    where: { stateHash, workspaceId, sessionHash, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  return count === 1;
}

/** Returns the connection of the session's newest open attempt. */
export async function findAwaitedConnection(workspaceId: WorkspaceId, sessionHash: string, now: Date): Promise<ConnectionId | null> {
  const row = await prisma().authorizationAttempt.findFirst({
    where: { workspaceId, sessionHash, usedAt: null, expiresAt: { gt: now } },
    orderBy: { createdAt: "desc" },
    select: { connectionId: true },
  });
  return row && toConnectionId.parse(row.connectionId);
}

export async function deleteOldAttempts(before: Date): Promise<number> {
  return (await prisma().authorizationAttempt.deleteMany({ where: { expiresAt: { lt: before } } })).count;
}

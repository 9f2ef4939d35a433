import { type ConnectionId, connectionId as toConnectionId, type WorkspaceId } from "#lib/contracts/api/ids";
import { prisma } from "#lib/db/prisma";

const VALID_MS = 10 * 60_000;

/** One authorization attempt: whose, from which browser session, for which connection. */
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

/** Begins an attempt; it must end within ten minutes. */
export async function insertAttempt(workspaceId: WorkspaceId, attempt: NewAttempt, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + VALID_MS);
  await prisma().authorizationAttempt.create({ data: { ...attempt, workspaceId, createdAt: now, expiresAt } });
}

/** @returns null for a state that is not of this workspace */
export async function findAttempt(workspaceId: WorkspaceId, stateHash: string): Promise<AuthorizationAttempt | null> {
  const row = await prisma().authorizationAttempt.findFirst({ where: { stateHash, workspaceId } });
  return row && { ...row, connectionId: toConnectionId.parse(row.connectionId) };
}

/**
 * Uses the attempt up, in one guarded statement: of two requests with the same
 * state at the same moment one gets through.
 *
 * @returns false when it was used, has expired or belongs to another browser session
 */
export async function claimAttempt(workspaceId: WorkspaceId, stateHash: string, sessionHash: string, now: Date): Promise<boolean> {
  const { count } = await prisma().authorizationAttempt.updateMany({
    where: { stateHash, workspaceId, sessionHash, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  return count === 1;
}

/** The connection that this browser session is waiting for, if any: the newest attempt that is still open. */
export async function findAwaitedConnection(workspaceId: WorkspaceId, sessionHash: string, now: Date): Promise<ConnectionId | null> {
  const row = await prisma().authorizationAttempt.findFirst({
    where: { workspaceId, sessionHash, usedAt: null, expiresAt: { gt: now } },
    orderBy: { createdAt: "desc" },
    select: { connectionId: true },
  });
  return row && toConnectionId.parse(row.connectionId);
}

/** Removes attempts that ended long ago. @returns how many rows went */
export async function deleteOldAttempts(before: Date): Promise<number> {
  return (await prisma().authorizationAttempt.deleteMany({ where: { expiresAt: { lt: before } } })).count;
}

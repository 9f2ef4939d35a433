import type { WorkspaceId } from "#lib/contracts/ids";
import type { Role } from "#lib/contracts/settings";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

const DAY_MS = 86_400_000;
/** A session ends 30 days after sign-in, or when it was not used for 7 days. */
export const SESSION_SECONDS = (30 * DAY_MS) / 1000;
const IDLE_MS = 7 * DAY_MS;
const TOUCH_EVERY_MS = 60_000;

/** A living session with its person and what the person is in the workspace. */
export type LiveSession = {
  workspaceId: WorkspaceId;
  workspaceName: string;
  role: Role;
  userId: string;
  email: string;
  name: string | null;
};

type NewSession = { idHash: string; userId: string; workspaceId: string; userAgent: string | null; now: Date };

/** Opens a session; the caller keeps the id, the row only its hash. */
export async function insertSession({ idHash, userId, workspaceId, userAgent, now }: NewSession): Promise<void> {
  const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1000);
  await prisma().session.create({
    data: { idHash, userId, workspaceId, userAgent: userAgent?.slice(0, 300) ?? null, createdAt: now, lastSeenAt: now, expiresAt },
  });
}

const FIND_LIVE = `
  SELECT s.workspace_id AS "workspaceId", w.name AS "workspaceName", m.role, s.last_seen_at AS "lastSeenAt",
         u.id AS "userId", u.email, u.name
    FROM sessions s
    JOIN users u ON u.id = s.user_id
    JOIN workspaces w ON w.id = s.workspace_id
    JOIN memberships m ON m.user_id = s.user_id AND m.workspace_id = s.workspace_id
   WHERE s.id_hash = $1 AND s.expires_at > $2 AND s.last_seen_at > $3`;

/**
 * The living session of that hash: null when it was ended, is too old, was idle
 * too long, or when the person is no longer a member. Runs on every request:
 * one statement, and a second at most once a minute to note that it is in use.
 */
export async function findLiveSession(idHash: string, now: Date): Promise<LiveSession | null> {
  const idleSince = new Date(now.getTime() - IDLE_MS);
  const { rows } = await pool().query<LiveSession & { lastSeenAt: Date }>(FIND_LIVE, [idHash, now, idleSince]);
  const [row] = rows;
  if (!row) return null;
  const { lastSeenAt, ...session } = row;
  if (now.getTime() - lastSeenAt.getTime() > TOUCH_EVERY_MS)
    await pool().query("UPDATE sessions SET last_seen_at = $2 WHERE id_hash = $1 AND last_seen_at < $2", [idHash, now]);
  return session;
}

/** Ends a session at once. Ending one that is not there is no error. */
export async function deleteSession(idHash: string): Promise<void> {
  await prisma().session.deleteMany({ where: { idHash } });
}

/** Removes what can't be used any more. @returns how many rows went */
export async function deleteExpiredSessions(now: Date): Promise<number> {
  const idleSince = new Date(now.getTime() - IDLE_MS);
  const dead = { OR: [{ expiresAt: { lte: now } }, { lastSeenAt: { lte: idleSince } }] };
  return (await prisma().session.deleteMany({ where: dead })).count;
}

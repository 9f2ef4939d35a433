import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

/**
 * A request that came with an Idempotency-Key. `status` is null while it is worked on; a status without an answer:
 * it was carried out, but its answer is not kept. `abandoned`: it is worked on no more, and was never finished.
 */
export type KeptRequest = { requestHash: string; status: number | null; answerSealed: string | null; abandoned: boolean };

const KEPT_HOURS = 24;
/** A request that is worked on for longer was left by a process that died. Seconds. */
const ABANDONED_AFTER = 120;

const CLAIM = `
  INSERT INTO idempotency_keys (id, workspace_id, request_hash, created_at, expires_at)
  VALUES ($2, $1, $3, now(), now() + interval '${KEPT_HOURS} hours')
  ON CONFLICT (id) DO UPDATE
     SET request_hash = EXCLUDED.request_hash, created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at,
         status = NULL, answer_sealed = NULL, key_id = NULL
   WHERE idempotency_keys.expires_at <= now()
  RETURNING id`;

/**
 * Takes a key for a request: of many at once one gets it.
 *
 * @returns null for the one that got it; for the others, what is kept
 */
export async function claimRequest(workspaceId: WorkspaceId, id: string, requestHash: string): Promise<KeptRequest | null> {
  const { rowCount } = await pool().query(CLAIM, [workspaceId, id, requestHash]);
  if (rowCount === 1) return null;
  const { rows } = await pool().query<KeptRequest>(
    `SELECT request_hash AS "requestHash", status, answer_sealed AS "answerSealed",
            status IS NULL AND created_at < now() - interval '${ABANDONED_AFTER} seconds' AS abandoned
       FROM idempotency_keys WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, id],
  );
  // Released between the two statements: to the caller that is the same as still running.
  return rows[0] ?? { requestHash, status: null, answerSealed: null, abandoned: false };
}

/** Keeps the answer of a request that worked. */
export async function markAnswered(
  workspaceId: WorkspaceId,
  id: string,
  { status, sealed, keyId }: { status: number; sealed: string; keyId: string },
): Promise<void> {
  await prisma().idempotencyKey.updateMany({ where: { workspaceId, id }, data: { status, answerSealed: sealed, keyId } });
}

/** Notes that a request was carried out and that its answer is not kept. @param status 0: nobody knows what became of it */
export async function markCarriedOut(workspaceId: WorkspaceId, id: string, status: number): Promise<void> {
  await prisma().idempotencyKey.updateMany({ where: { workspaceId, id }, data: { status, answerSealed: null, keyId: null } });
}

/** Gives a key back: its request did nothing, and may be tried again. */
export async function releaseRequest(workspaceId: WorkspaceId, id: string): Promise<void> {
  await prisma().idempotencyKey.deleteMany({ where: { workspaceId, id, status: null } });
}

/** Removes what is older than a day, of every workspace. @returns how many rows went */
export async function deleteExpiredRequests(now: Date): Promise<number> {
  return (await prisma().idempotencyKey.deleteMany({ where: { expiresAt: { lte: now } } })).count;
}

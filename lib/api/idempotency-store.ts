import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

/** `status` is null while it runs; a status without an answer: it ran, but its answer is not kept. `abandoned`: its process died. */
export type KeptRequest = { requestHash: string; status: number | null; answerSealed: string | null; abandoned: boolean };

const KEPT_HOURS = 24;
/** A request that runs longer was left by a process that died. Seconds. */
const ABANDONED_AFTER = 120;

const CLAIM = `
  INSERT INTO idempotency_keys (id, workspace_id, request_hash, created_at, expires_at)
  VALUES ($2, $1, $3, now(), now() + interval '${KEPT_HOURS} hours')
  ON CONFLICT (id) DO UPDATE
     SET request_hash = EXCLUDED.request_hash, created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at,
         status = NULL, answer_sealed = NULL, key_id = NULL
   WHERE idempotency_keys.expires_at <= now()
  RETURNING id`;

/** Claims a key for a request; of concurrent ones a single one gets it. Returns null, or the request that has it. */
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

export async function markAnswered(
  workspaceId: WorkspaceId,
  id: string,
  { status, sealed, keyId }: { status: number; sealed: string; keyId: string },
): Promise<void> {
  await prisma().idempotencyKey.updateMany({ where: { workspaceId, id }, data: { status, answerSealed: sealed, keyId } });
}

/** Marks a request as carried out without a kept answer. `status` 0: its outcome is unknown. */
export async function markCarriedOut(workspaceId: WorkspaceId, id: string, status: number): Promise<void> {
  await prisma().idempotencyKey.updateMany({ where: { workspaceId, id }, data: { status, answerSealed: null, keyId: null } });
}

/** Releases a key whose request did nothing, so that it may be tried again. */
export async function releaseRequest(workspaceId: WorkspaceId, id: string): Promise<void> {
  await prisma().idempotencyKey.deleteMany({ where: { workspaceId, id, status: null } });
}

export async function deleteExpiredRequests(now: Date): Promise<number> {
  return (await prisma().idempotencyKey.deleteMany({ where: { expiresAt: { lte: now } } })).count;
}

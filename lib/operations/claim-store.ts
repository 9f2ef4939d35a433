import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { type ClaimedOperation, READER, SILENCE, type StoredKind } from "./operation-record.ts";

/** An operation is begun this often at the most, if each process that runs it dies. */
const MAX_CLAIMS = 3;

const GIVEN_UP = `The worker running it exited ${MAX_CLAIMS} times before finishing, most likely because it ran out of memory. Give the worker more memory, then resume it.`;

const IS_LEFT = `state = 'running' AND beat_at < now() - interval '${SILENCE}'`;

const CLAIM = `state = 'running', runner = $1, beat_at = now(), started_at = now(), claims = claims + 1`;
const CLAIMED = `id, workspace_id AS "workspaceId", kind, dry_run AS "dryRun", input, requested_by AS "requestedBy", created_at::text AS "createdAt", done, total, counts, checkpoint`;

/** Claims the oldest operation of a kind that waits, or that its process left, where none of it runs. Operations of any kind that were left
 * for the third time fail, and those to be stopped are stopped. */
export async function claimOperation(kind: StoredKind, runner: string): Promise<ClaimedOperation | null> {
  const { rows } = await pool("worker").query<ClaimedOperation>(
    `WITH ended AS (
       UPDATE operations SET state = CASE WHEN stop_requested THEN 'stopped' ELSE 'failed' END,
         failure = CASE WHEN stop_requested THEN NULL ELSE $4 END, finished_at = now()
       WHERE kind <> 'export' AND ${IS_LEFT} AND (claims >= $3 OR stop_requested))
     UPDATE operations SET ${CLAIM}, phase = NULL
     WHERE id = (SELECT id FROM operations o
       WHERE kind = $2 AND (state = 'queued' OR (${IS_LEFT} AND claims < $3 AND NOT stop_requested))
         AND (kind = 'export' OR NOT EXISTS (SELECT 1 FROM operations r WHERE r.workspace_id = o.workspace_id AND r.kind = o.kind AND r.id <> o.id
           AND r.state = 'running' AND r.beat_at >= now() - interval '${SILENCE}'))
       ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING ${CLAIMED}`,
    [runner, kind, MAX_CLAIMS, GIVEN_UP],
  );
  return rows[0] ?? null;
}

/** Claims this one while it waits; null otherwise. An export waits only so long. */
export async function claimById(workspaceId: WorkspaceId, id: string, kind: StoredKind, runner: string): Promise<ClaimedOperation | null> {
  const { rows } = await pool().query<ClaimedOperation>(
    `UPDATE operations SET ${CLAIM} WHERE workspace_id = $2 AND id = $3 AND kind = $4 AND state = 'queued'
       AND (kind <> 'export' OR created_at > now() - interval '${READER}')
     RETURNING ${CLAIMED}`,
    [runner, workspaceId, id, kind],
  );
  return rows[0] ?? null;
}

export type OperationProgress = {
  phase?: string | null;
  done: number;
  /** 0 while it is not known. */
  total: number;
  counts?: Record<string, number>;
  /** Point from which another process would continue. */
  checkpoint?: unknown;
};

const PROGRESS = `phase = $3, done = $4, total = $5, counts = coalesce($6::jsonb, counts), checkpoint = coalesce($7::jsonb, checkpoint)`;
const progressValues = ({ phase = null, done, total, counts, checkpoint }: OperationProgress) => [
  phase,
  done,
  total,
  counts && JSON.stringify(counts),
  checkpoint === undefined ? null : JSON.stringify(checkpoint),
];
const MINE = "id = $1 AND runner = $2 AND state = 'running'";

/** Reports progress; without any, what was noted stays. Returns false when it is to stop, or another process has taken it over. */
export async function beat(id: string, runner: string, progress?: OperationProgress): Promise<boolean> {
  const { rows } = await pool("worker").query<{ stop_requested: boolean }>(
    `UPDATE operations SET beat_at = now()${progress ? `, ${PROGRESS}` : ""} WHERE ${MINE} RETURNING stop_requested`,
    [id, runner, ...(progress ? progressValues(progress) : [])],
  );
  return rows[0]?.stop_requested === false;
}

/** Another process has the operation now, or it has ended: nothing more may be written. */
export class OperationTakenOver extends Error {
  override name = "OperationTakenOver";
  override message = "another process has taken the operation over, or it was stopped";
}

/** A process that is stopped within a piece loses it before another process may take the operation over (SILENCE). */
const PIECE_LIMIT = "50s";

/** Checks in a transaction that writes elsewhere, or is repeatable read, that this process has the operation. @throws OperationTakenOver */
export async function expectMine(client: pg.PoolClient, id: string, runner: string): Promise<void> {
  const { rowCount } = await client.query(`SELECT FROM operations WHERE ${MINE}`, [id, runner]);
  if (!rowCount) throw new OperationTakenOver();
}

/** Does a piece of work and records the progress in one transaction: both or neither. @throws OperationTakenOver */
export async function commitPiece(id: string, runner: string, piece: (client: pg.PoolClient) => Promise<OperationProgress>): Promise<void> {
  await inTransaction(pool("worker"), async (client) => {
    await client.query(`SET LOCAL idle_in_transaction_session_timeout = '${PIECE_LIMIT}'`);
    const progress = await piece(client);
    // The row stays locked until the commit: nobody takes the operation over in between.
    const { rowCount } = await client.query(`UPDATE operations SET beat_at = now(), ${PROGRESS} WHERE ${MINE}`, [
      id,
      runner,
      ...progressValues(progress),
    ]);
    if (!rowCount) throw new OperationTakenOver();
  });
}

export type OperationEnd = { outcome: "finished"; report?: unknown } | { outcome: "stopped" } | { outcome: "failed"; failure: string };

/** Records the end. One that had to stop without being asked goes back to the queue; an export can't. */
export async function finishOperation(id: string, runner: string, end: OperationEnd): Promise<void> {
  const back = "$3 = 'stopped' AND NOT stop_requested AND kind <> 'export'";
  await pool("worker").query(
    `UPDATE operations SET report = $4, failure = $5,
       state = CASE WHEN ${back} THEN 'queued' ELSE $3 END,
       finished_at = CASE WHEN ${back} THEN NULL ELSE now() END,
       claims = CASE WHEN ${back} THEN 0 ELSE claims END
     WHERE ${MINE}`,
    [
      id,
      runner,
      end.outcome === "finished" ? "done" : end.outcome, // as the release before reads it
      end.outcome === "finished" && end.report !== undefined ? JSON.stringify(end.report) : null,
      end.outcome === "failed" ? end.failure : null,
    ],
  );
}

import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { type ClaimedOperation, READER, SILENCE, type StoredKind } from "./operation-record.ts";

/** An operation is begun this often at the most, if each process that runs it dies. */
const MOST_CLAIMS = 3;

const GIVEN_UP = `The worker running it exited ${MOST_CLAIMS} times before finishing, most likely because it ran out of memory. Give the worker more memory, then resume it.`;

/** Ends operations that have cost too many processes: failed, or stopped if somebody wanted that. */
async function endAbandoned(): Promise<void> {
  await pool("worker").query(
    `UPDATE operations SET state = CASE WHEN stop_requested THEN 'stopped' ELSE 'failed' END,
       failure = CASE WHEN stop_requested THEN NULL ELSE $2 END, finished_at = now()
     WHERE state = 'running' AND kind <> 'export' AND beat_at < now() - interval '${SILENCE}' AND (claims >= $1 OR stop_requested)`,
    [MOST_CLAIMS, GIVEN_UP],
  );
}

const CLAIM = `state = 'running', runner = $1, beat_at = now(), started_at = now(), claims = claims + 1`;
const CLAIMED = `id, workspace_id AS "workspaceId", kind, dry_run AS "dryRun", input, requested_by AS "requestedBy", done, total, counts, checkpoint`;

/**
 * Takes the oldest operation of a kind that waits, or that its process has left; null when there is none. One that was
 * left for the third time fails instead.
 */
export async function claimOperation(kind: StoredKind, runner: string): Promise<ClaimedOperation | null> {
  await endAbandoned();
  const { rows } = await pool("worker").query<ClaimedOperation>(
    `UPDATE operations SET ${CLAIM}, phase = NULL
     WHERE id = (SELECT id FROM operations
       WHERE kind = $2 AND (state = 'queued' OR (state = 'running' AND beat_at < now() - interval '${SILENCE}'))
       ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING ${CLAIMED}`,
    [runner, kind],
  );
  return rows[0] ?? null;
}

/** Takes this one, while it waits; null when it does not, or the workspace has none of that id and kind. An export waits only so long. */
export async function claimById(workspaceId: WorkspaceId, id: string, kind: StoredKind, runner: string): Promise<ClaimedOperation | null> {
  const { rows } = await pool().query<ClaimedOperation>(
    `UPDATE operations SET ${CLAIM} WHERE workspace_id = $2 AND id = $3 AND kind = $4 AND state = 'queued'
       AND (kind <> 'export' OR created_at > now() - interval '${READER}')
     RETURNING ${CLAIMED}`,
    [runner, workspaceId, id, kind],
  );
  return rows[0] ?? null;
}

/** How far an operation has come. */
export type OperationProgress = {
  phase?: string | null;
  done: number;
  /** 0 while it is not known. */
  total: number;
  counts?: Record<string, number>;
  /** Where another process would go on. */
  checkpoint?: unknown;
};

/**
 * Says that it goes on, and how far it has come.
 *
 * @returns whether to go on: false when somebody wants it stopped or another process has taken it over
 */
export async function beat(
  id: string,
  runner: string,
  { phase = null, done, total, counts, checkpoint }: OperationProgress,
): Promise<boolean> {
  const { rows } = await pool("worker").query<{ stop_requested: boolean }>(
    `UPDATE operations SET beat_at = now(), phase = $3, done = $4, total = $5, counts = coalesce($6::jsonb, counts),
       checkpoint = coalesce($7::jsonb, checkpoint)
     WHERE id = $1 AND runner = $2 AND state = 'running' RETURNING stop_requested`,
    [id, runner, phase, done, total, counts && JSON.stringify(counts), checkpoint === undefined ? null : JSON.stringify(checkpoint)],
  );
  return rows[0]?.stop_requested === false;
}

/** How a run ended. */
export type OperationEnd = { outcome: "finished"; report?: unknown } | { outcome: "stopped" } | { outcome: "failed"; failure: string };

/** Notes the end. One that was not asked to stop but had to goes back to the queue, for the next process; an export can't. */
export async function finishOperation(id: string, runner: string, end: OperationEnd): Promise<void> {
  const back = "$3 = 'stopped' AND NOT stop_requested AND kind <> 'export'";
  await pool("worker").query(
    `UPDATE operations SET report = $4, failure = $5,
       state = CASE WHEN ${back} THEN 'queued' ELSE $3 END,
       finished_at = CASE WHEN ${back} THEN NULL ELSE now() END,
       claims = CASE WHEN ${back} THEN 0 ELSE claims END
     WHERE id = $1 AND runner = $2 AND state = 'running'`,
    [
      id,
      runner,
      end.outcome === "finished" ? "done" : end.outcome, // as the release before reads it
      end.outcome === "finished" && end.report !== undefined ? JSON.stringify(end.report) : null,
      end.outcome === "failed" ? end.failure : null,
    ],
  );
}

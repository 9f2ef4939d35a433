import type { WorkspaceId } from "#lib/contracts/ids";
import type { RebuildReport, ViewRebuild } from "#lib/contracts/view-rebuilds";
import { pool } from "#lib/db/pool";

/** A rebuild in the hands of a process. */
export type ClaimedRebuild = { id: string; workspaceId: WorkspaceId; dryRun: boolean };

/** After this long without a word its process is taken for dead. */
const SILENCE = "60 seconds";

/** Takes the oldest rebuild that waits, or that its process has left; null when there is none. */
export async function claimRebuild(runner: string): Promise<ClaimedRebuild | null> {
  const { rows } = await pool("worker").query<{ id: string; workspace_id: WorkspaceId; dry_run: boolean }>(
    `UPDATE view_rebuilds SET state = 'running', runner = $1, beat_at = now(), started_at = now(), done = 0, phase = NULL
     WHERE id = (SELECT id FROM view_rebuilds
       WHERE state = 'queued' OR (state = 'running' AND beat_at < now() - interval '${SILENCE}')
       ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, workspace_id, dry_run`,
    [runner],
  );
  const [row] = rows;
  return row ? { id: row.id, workspaceId: row.workspace_id, dryRun: row.dry_run } : null;
}

/**
 * Says that it goes on, and how far it has come.
 *
 * @returns whether to go on: false when somebody wants it stopped or another process has taken it over
 */
export async function beat(
  id: string,
  runner: string,
  { phase, done, total }: Pick<ViewRebuild, "phase" | "done" | "total">,
): Promise<boolean> {
  const { rows } = await pool("worker").query<{ stop_requested: boolean }>(
    `UPDATE view_rebuilds SET beat_at = now(), phase = $3, done = $4, total = $5
     WHERE id = $1 AND runner = $2 AND state = 'running' RETURNING stop_requested`,
    [id, runner, phase, done, total],
  );
  return rows[0]?.stop_requested === false;
}

/** Notes the end. One that was not asked to stop but had to goes back to the queue, for the next process. */
export async function finishRebuild(
  id: string,
  runner: string,
  end: { outcome: "done"; report: RebuildReport } | { outcome: "stopped" } | { outcome: "failed"; failure: string },
): Promise<void> {
  await pool("worker").query(
    `UPDATE view_rebuilds SET report = $4, failure = $5,
       state = CASE WHEN $3 = 'stopped' AND NOT stop_requested THEN 'queued' ELSE $3 END,
       finished_at = CASE WHEN $3 = 'stopped' AND NOT stop_requested THEN NULL ELSE now() END
     WHERE id = $1 AND runner = $2 AND state = 'running'`,
    [id, runner, end.outcome, end.outcome === "done" ? JSON.stringify(end.report) : null, end.outcome === "failed" ? end.failure : null],
  );
}

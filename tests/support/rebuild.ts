import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { RebuildReport } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";
import { type RebuildProgress, rebuildViews } from "#lib/flows/views/rebuild-views";
import { FOLD_VERSION } from "#lib/views/definitions";

/** Rebuilds the views of a workspace, or only compares them, to the end. */
export async function rebuild(
  workspaceId: WorkspaceId,
  options: { dryRun?: boolean; rest?: number; onProgress?: (progress: RebuildProgress) => void } = {},
): Promise<RebuildReport> {
  const result = await rebuildViews(workspaceId, {
    dryRun: options.dryRun ?? false,
    signal: new AbortController().signal,
    rest: options.rest ?? 0,
    onProgress: options.onProgress ?? (() => undefined),
  });
  if (result.outcome !== "finished") throw new Error("it was stopped");
  return result.report;
}

/**
 * Takes events out of the log as retention did before it kept bases: the rows and their keys, of workspaces that are old.
 *
 * @param rows false for what such a round left behind when its partition was not dropped: rows without keys
 */
export async function forgetEvents(eventIds: string[], rows = true): Promise<void> {
  const client = await pool().connect();
  await client.query("SET session_replication_role = replica");
  await client.query(
    `WITH old AS (UPDATE workspaces SET created_at = '2020-01-01'
       WHERE id IN (SELECT workspace_id FROM events WHERE event_id = ANY($1::text[])) RETURNING id)
     INSERT INTO view_folds (workspace_id, fold) SELECT id, $2 FROM old ON CONFLICT (workspace_id) DO UPDATE SET bases_since = NULL`,
    [eventIds, FOLD_VERSION],
  );
  await client.query("DELETE FROM event_keys WHERE event_id = ANY($1::text[])", [eventIds]);
  if (rows) await client.query("DELETE FROM events WHERE event_id = ANY($1::text[])", [eventIds]);
  client.release(true);
}

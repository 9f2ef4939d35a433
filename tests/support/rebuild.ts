import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { RebuildReport } from "#lib/contracts/view-rebuilds";
import { pool } from "#lib/db/pool";
import { type RebuildProgress, rebuildViews } from "#lib/flows/views/rebuild/rebuild-views";

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

/** Takes events out of the log as retention does: the rows, their keys and their references. */
export async function forgetEvents(eventIds: string[]): Promise<void> {
  const client = await pool().connect();
  await client.query("SET session_replication_role = replica");
  await client.query("DELETE FROM event_keys WHERE event_id = ANY($1::text[])", [eventIds]);
  await client.query("DELETE FROM events WHERE event_id = ANY($1::text[])", [eventIds]);
  client.release(true);
}

import type { WorkspaceId } from "#lib/contracts/api/ids";
import { listRebuilds } from "#lib/flows/views/rebuild-views";
import { isOutdated } from "#lib/views/base-store";

/** `waiting` also before a rebuild is requested: a worker does so within five minutes. */
export type RecordState = { rebuild: "waiting" | "running" | "failed" | "stopped"; percent: number };

const WAITING: RecordState = { rebuild: "waiting", percent: 0 };

/** Returns null where this version has made the records. */
export async function readRecordState(workspaceId: WorkspaceId): Promise<RecordState | null> {
  if (!(await isOutdated(workspaceId))) return null;
  const last = (await listRebuilds(workspaceId)).find(({ dryRun }) => !dryRun);
  if (!last || last.state === "done" || last.state === "queued") return WAITING;
  // Stopped by a restore.
  if (last.state === "stopped" && last.failure !== null) return WAITING;
  // Comparing follows when all is replayed.
  return { rebuild: last.state, percent: last.total === 0 ? 0 : Math.min(99, Math.floor((100 * last.done) / last.total)) };
}

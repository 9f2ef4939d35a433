import { newestKnownMigration } from "#lib/db/migrate";
import { logger } from "#lib/observability/logger";
import { findLastEnd, insertOperation } from "#lib/operations/operation-store";
import { isOlderWorkerAlive } from "#lib/processing/heartbeat-store";
import { listOutdated } from "#lib/views/base-store";
import { adoptBases } from "./fold-log.ts";

// A file of its own: the pages list rebuilds, and Next can't load what reads the folder of migrations.

const REQUESTED_BY = "Signalbox (update)";
/** Wait after a rebuild that failed: each reads the whole log. */
const AFTER_FAILURE_MS = 3_600_000;

/** Requests a rebuild where an earlier version made the records. Waits during a rolling update: what older workers apply would stay as they
 * made it. One that a person stopped is not requested again, one that failed an hour later. Returns how many. */
export async function rebuildOutdated(now: Date): Promise<number> {
  let asked = 0;
  await adoptBases(now);
  const outdated = await listOutdated();
  if (outdated.length === 0) return 0;
  if (await isOlderWorkerAlive(newestKnownMigration())) {
    logger().info("this version builds records differently: they are rebuilt once no worker of the version before runs");
    return 0;
  }
  for (const workspaceId of outdated) {
    const last = await findLastEnd(workspaceId, "rebuild", REQUESTED_BY);
    if (last?.state === "stopped" && last.failure === null) continue;
    if (last?.state === "failed" && now.getTime() - last.finishedAt.getTime() < AFTER_FAILURE_MS) continue;
    const { outcome } = await insertOperation(workspaceId, { kind: "rebuild", requestedBy: REQUESTED_BY });
    if (outcome === "busy") continue;
    asked += 1;
    logger().info({ workspaceId }, "this version builds records differently: rebuilding them in the background");
  }
  return asked;
}

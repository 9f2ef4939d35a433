import { adoptBases } from "#lib/flows/views/base/adopt-bases";
import { logger } from "#lib/observability/logger";
import { findLastEnd, insertOperation } from "#lib/operations/operation-store";
import { listOutdated } from "#lib/views/rebuild/fold-store";

const REQUESTED_BY = "Signalbox (update)";
/** A rebuild that fails reads the whole log each time. Milliseconds. */
const AFTER_FAILURE_MS = 3_600_000;

/**
 * Makes bases of what had left the log before they were kept, and asks for a rebuild of every workspace whose records an
 * earlier version has made; a worker runs it in the background.
 * One that a person stopped is not asked for again, one that failed an hour later, and one that a restore stopped at once.
 *
 * @returns how many were asked for
 */
export async function rebuildOutdated(now: Date): Promise<number> {
  let asked = 0;
  await adoptBases(now);
  for (const workspaceId of await listOutdated()) {
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

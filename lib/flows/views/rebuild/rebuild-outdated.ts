import { logger } from "#lib/observability/logger";
import { insertOperation } from "#lib/operations/operation-store";
import { adoptNew, listOutdated } from "#lib/views/rebuild/fold-store";

/**
 * Asks for a rebuild of every workspace whose records an earlier version has made; a worker runs it in the background.
 *
 * @returns how many were asked for
 */
export async function rebuildOutdated(): Promise<number> {
  let asked = 0;
  await adoptNew();
  for (const workspaceId of await listOutdated()) {
    const { outcome } = await insertOperation(workspaceId, { kind: "rebuild", requestedBy: "Signalbox (update)" });
    if (outcome === "busy") continue;
    asked += 1;
    logger().info({ workspaceId }, "this version makes other records of the same events: rebuilding them in the background");
  }
  return asked;
}

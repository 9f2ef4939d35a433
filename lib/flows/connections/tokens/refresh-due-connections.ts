import { listDue } from "#lib/connections/tokens/refresh-claim-store";
import { logger } from "#lib/observability/logger";
import { systemClock } from "#lib/time/clock";
import { refreshConnection } from "./refresh-connection.ts";
import { storeLeft } from "./store-tokens.ts";
import { tokenWorkSettled } from "./under-way.ts";

export { REFRESH_ROUND_MS } from "#lib/connections/tokens/renewal-schedule";

const AT_ONCE = 4;
const BATCH = 100;

/** Stores spooled tokens, then renews what is due, four at a time. Returns how many were due. */
export async function refreshDueConnections(signal?: AbortSignal, clock = systemClock): Promise<number> {
  await storeLeft(clock);
  const due = await listDue(BATCH);
  const waiting = [...due];
  const lane = async () => {
    for (let next = waiting.shift(); next && !signal?.aborted; next = waiting.shift()) {
      const { workspaceId, connectionId } = next;
      await refreshConnection(workspaceId, connectionId, { onlyIfDue: true, clock, ...(signal && { signal }) }).catch((error: Error) =>
        logger().error({ connectionId, reason: error.message }, "a connection could not be renewed"),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  if (signal?.aborted) await tokenWorkSettled();
  return due.length;
}

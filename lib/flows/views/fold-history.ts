import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { HistoryCoverage } from "#lib/contracts/events/events";
import { type LogOf, visitLogOf } from "#lib/events/log/resource-log-store";
import { listReadings } from "#lib/sources/reading-store";
import type { Touch } from "#lib/views/fold/plan";
import { inTurn } from "./history-turn.ts";
import { touchesOf } from "./rebuild/fold-log.ts";

/** Bytes of bodies that are read on request: more would take memory and time from everybody else. */
export const HISTORY_BYTES = 16 * 1_048_576;

/** Visits what events did to records, in any order. Returns null when all was read. @throws AppError `unavailable` when too many do */
export async function visitHistory(
  workspaceId: WorkspaceId,
  log: LogOf,
  bounds: { events: number; bytes?: number },
  visit: (touch: Touch) => void,
): Promise<HistoryCoverage | null> {
  if (log.refs.length === 0) return null;
  const readings = await listReadings(workspaceId);
  const coverage = await inTurn(() =>
    visitLogOf(workspaceId, log, { bytes: HISTORY_BYTES, ...bounds }, (event) => {
      for (const touch of touchesOf(event, readings)) visit(touch);
    }),
  );
  return coverage.read === coverage.total && !coverage.more ? null : coverage;
}

export function sumCoverage(a: HistoryCoverage | null, b: HistoryCoverage | null): HistoryCoverage | null {
  if (!a || !b) return a ?? b;
  return { read: a.read + b.read, total: a.total + b.total, more: a.more || b.more };
}

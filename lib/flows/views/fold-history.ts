import PQueue from "p-queue";
import { once } from "#lib/context/once";
import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { HistoryCoverage } from "#lib/contracts/events/events";
import { type LogOf, visitLogOf } from "#lib/events/log/resource-log-store";
import { listReadings } from "#lib/sources/reading-store";
import type { Touch } from "#lib/views/fold/plan";
import { touchesOf } from "./fold-log.ts";

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

/** Reading a history takes tens of megabytes: so many do it at once in a process, and so many may wait. */
const AT_ONCE = 2;
const MAX_WAITING = 100;
const TURN_TIMEOUT_MS = 15_000;
const RETRY_SECONDS = 5;

const queue = (): PQueue => once("history-turns", () => new PQueue({ concurrency: AT_ONCE }));

const tooBusy = () =>
  new AppError("unavailable", "Too many record histories are being read right now. Try again in a few seconds.", {
    retryAfterSeconds: RETRY_SECONDS,
  });

/** Runs work that reads histories in turn. Never nest it: the inner one would wait for the outer. @throws AppError `unavailable` */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (queue().size >= MAX_WAITING) throw tooBusy();
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(tooBusy()), TURN_TIMEOUT_MS);
  const begin = () => {
    clearTimeout(timer);
    return work();
  };
  return queue().add(begin, { signal: waiting.signal });
}

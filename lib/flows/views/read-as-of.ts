import PQueue from "p-queue";
import { once } from "#lib/context/once";
import { AppError, invalidField } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { HistoryCoverage } from "#lib/contracts/events/events";
import type { ViewKind, ViewMoments } from "#lib/contracts/views";
import { type LogOf, listMoments, visitLogOf } from "#lib/events/log/resource-log-store";
import { FAILURE_TYPES, titleOfType } from "#lib/platform/event-catalogue";
import { listReadings } from "#lib/sources/reading-store";
import { baseAsOf, withBase } from "#lib/views/base";
import { findBase, findBases } from "#lib/views/base-store";
import { applyTouch } from "#lib/views/fold/fold";
import { isoOf, type Touch } from "#lib/views/fold/plan";
import type { Registers } from "#lib/views/fold/register";
import { touchesOf } from "./fold-log.ts";

const EVENTS_FOLDED = 20_000;
const MOMENTS_SHOWN = 400;

/** Returns Unix seconds. @throws AppError `invalid_request` */
export function momentOf(asOf: string): number {
  const at = Math.floor(Date.parse(asOf) / 1000);
  if (Number.isNaN(at)) throw invalidField("asOf", "must be an ISO 8601 time, for example 2026-01-31T12:00:00Z.");
  return at;
}

export type PastRecords = {
  find: (kind: ViewKind, id: string) => Registers | null;
  list: (kind: ViewKind) => [id: string, Registers][];
  /** Part of the history that was read, where older events would add to it. */
  coverage: HistoryCoverage | null;
  /** Unix seconds from which on the records are known whole; null where they are. */
  knownFrom: number | null;
};

/** Folds events created up to a moment (Unix seconds, inclusive) into the records and whatever else they touch. Bases are read last,
 * because events move from the log into them. */
export async function foldAsOf(workspaceId: WorkspaceId, kind: ViewKind, ids: string[], until: number): Promise<PastRecords> {
  const records = new Map<ViewKind, Map<string, Registers>>();
  const coverage = await visitHistory(workspaceId, { kind, refs: ids, until }, { events: EVENTS_FOLDED }, (touch) => {
    const ofKind = records.get(touch.kind) ?? new Map<string, Registers>();
    records.set(touch.kind, ofKind.set(touch.id, applyTouch(ofKind.get(touch.id) ?? {}, touch)));
  });
  const { bases, more } = await findBases(workspaceId, kind, ids);
  const ofKind = records.get(kind) ?? new Map<string, Registers>();
  let knownFrom: number | null = null;
  for (const base of bases) {
    const then = baseAsOf(base, until);
    const registers = withBase(kind, then, ofKind.get(base.id) ?? null);
    if (registers) ofKind.set(base.id, registers);
    if (!then.whole) knownFrom = Math.max(knownFrom ?? 0, base.knownFrom);
  }
  records.set(kind, ofKind);
  return {
    find: (wanted, id) => records.get(wanted)?.get(id) ?? null,
    list: (wanted) => [...(records.get(wanted) ?? [])],
    coverage: more ? sumCoverage(coverage, { read: bases.length, total: ids.length, more }) : coverage,
    knownFrom,
  };
}

export const pastMarks = ({ coverage, knownFrom }: Pick<PastRecords, "coverage" | "knownFrom">) => ({
  partial: coverage !== null || knownFrom !== null,
  coverage,
  knownFrom: knownFrom === null ? null : isoOf(knownFrom),
});

/** Lists the moments at which a record may have changed, oldest first. */
export async function readMoments(workspaceId: WorkspaceId, kind: ViewKind, id: string): Promise<ViewMoments> {
  const newest = await listMoments(workspaceId, kind, id, MOMENTS_SHOWN + 1);
  const data = newest.slice(0, MOMENTS_SHOWN).flatMap(({ created, events, types }) => {
    const at = isoOf(created);
    if (at === null) return [];
    return [
      {
        at,
        events,
        titles: types.map(titleOfType),
        failed: types.some((type) => FAILURE_TYPES.includes(type)),
      },
    ];
  });
  const earlier = newest.length > MOMENTS_SHOWN;
  const base = await findBase(workspaceId, kind, id);
  const knownFrom = base && isoOf(base.knownFrom);
  if (knownFrom && !earlier && !data.some(({ at }) => at === knownFrom))
    data.push({ at: knownFrom, events: 1, titles: ["Event no longer in the log"], failed: false });
  return { data: data.sort((a, b) => a.at.localeCompare(b.at)), earlier, knownFrom };
}

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

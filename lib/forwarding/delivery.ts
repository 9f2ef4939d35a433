import type { ResourceRef } from "#lib/contracts/events/events";
import type { DeliveryState } from "#lib/contracts/forwarding/deliveries";
import { isOpenDelivery } from "#lib/contracts/forwarding/delivery-states";
import { arraysOf } from "#lib/db/columns";
import type { SqlValues } from "#lib/db/sql";
import { growingWait, retryWait } from "#lib/time/waits";

const PREFIX = "dlv_";

export const publicDeliveryId = (id: number): string => `${PREFIX}${id}`;

export function readDeliveryId(text: string): number | null {
  const digits = /^dlv_([1-9]\d{0,15})$/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Most specific first: a task before the pipeline it belongs to. */
const RANKS = ["task", "run", "document", "integration", "automation", "pipeline", "record"];

/** Returns the most specific record that an event names (`document:doc_1`), else the event: deliveries keep the order of each. */
export function subjectOf(eventId: string, refs: readonly ResourceRef[]): string {
  const rank = ({ kind }: ResourceRef) => (RANKS.includes(kind) ? RANKS.indexOf(kind) : RANKS.length);
  const [first] = [...refs].sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
  return first ? `${first.kind}:${first.id}` : `event:${eventId}`;
}

/** Filters of deliveries. `events`: places in the log. `from` and `to`: when the event was received. */
export type DeliveryNarrowing = {
  states?: DeliveryState[] | undefined;
  types?: string[] | undefined;
  outcomes?: string[] | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  events?: { receivedAt: Date; seq: number }[] | undefined;
};

/** State of a delivery `f` to a destination `d`: stored, or following from the destination's state. */
export const STATE_SQL = `CASE WHEN f.state <> 'pending' THEN f.state WHEN d.state <> 'active' THEN 'held' WHEN f.attempts > 0 THEN 'retrying' ELSE 'waiting' END`;

/** Repeats the conditions of the partial indexes exactly, so that the planner finds them. */
function storedStateSql(states: DeliveryState[]): string {
  if (states.every(isOpenDelivery)) return "f.state = 'pending'";
  return states.every((state) => state === "exhausted" || state === "skipped") ? "f.state IN ('exhausted', 'skipped')" : "true";
}

export function narrowingSql({ states, types, outcomes, from, to, events }: DeliveryNarrowing, bind: SqlValues["bind"]): string {
  const conditions: string[] = ["true"];
  if (states) conditions.push(storedStateSql(states), `${STATE_SQL} = ANY(${bind(states)}::text[])`);
  if (types) conditions.push(`f.type = ANY(${bind(types)}::text[])`);
  if (outcomes) conditions.push(`f.last_code = ANY(${bind(outcomes)}::text[])`);
  if (from) conditions.push(`f.received_at >= ${bind(from.toISOString())}::timestamptz`);
  if (to) conditions.push(`f.received_at < ${bind(to.toISOString())}::timestamptz`);
  if (events) {
    const places = arraysOf(events, "receivedAt", "seq").map(bind);
    conditions.push(`(f.received_at, f.seq) IN (SELECT * FROM unnest(${places[0]}::timestamptz[], ${places[1]}::bigint[]))`);
  }
  return conditions.join(" AND ");
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits before each attempt, as Standard Webhooks recommends. Milliseconds. */
const SCHEDULE_MS = [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR] as const;

export const MAX_ATTEMPTS = SCHEDULE_MS.length;

/** Returns the wait after a number of failures, with 20% jitter, no shorter than Retry-After (up to 24 hours); null after the last. */
export function waitAfter(failed: number, retryAfterMs: number | null, random: number): number | null {
  const base = SCHEDULE_MS[failed];
  return base === undefined ? null : retryWait(base, retryAfterMs, random);
}

const FIRST_PROBE_MS = 30 * SECOND;
const MAX_PROBE_MS = 5 * MINUTE;

export const waitForProbe = (failedProbes: number): number =>
  growingWait(failedProbes + 1, { firstMs: FIRST_PROBE_MS, maxMs: MAX_PROBE_MS });

/** Upper bounds of the buckets of successful attempts' durations, in milliseconds; one more is without a bound. */
export const LATENCY_BOUNDS_MS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 15_000] as const;

export function latencyCounts(durationsMs: number[]): number[] {
  const counts = Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, () => 0);
  for (const ms of durationsMs) {
    const at = LATENCY_BOUNDS_MS.findIndex((bound) => ms <= bound);
    const bucket = at < 0 ? LATENCY_BOUNDS_MS.length : at;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}

import { type EventFilter, type EventFilterName, isTypePattern } from "#lib/contracts/events/event-filters";
import { waitingPlacesSql } from "#lib/db/sql";
import { FAILURE_TYPES } from "#lib/platform/event-catalogue";
import type { SqlParams } from "./search/candidate-queries.ts";
import { conditionsOf } from "./search/filter-conditions.ts";
import type { ParsedFilter } from "./search/query.ts";

export const HOUR_MS = 3_600_000;

/** Whole hours of the log, in milliseconds; null is open. */
export type WholeHours = { from: number; to: number | null };

const COUNTED: EventFilterName[] = ["type", "source", "state", "reportsFailure", "period", "from", "to"];

/** `platform`: only of sources whose events become the platform's records. */
type Asked = { types: string[] | undefined; source: string | undefined; platform: boolean; state: CountedState | undefined };
type CountedState = Exclude<NonNullable<EventFilter["state"]>[number], "pending">;

/** Returns the counters' part of a filter; null for a filter that they don't know, and for two on the same. */
export function askedOf({ filter, search }: ParsedFilter): Asked | null {
  if (search.terms.length > 0) return null;
  const all: EventFilter = {};
  for (const each of [filter, ...search.filters])
    for (const [name, value] of Object.entries(each) as [EventFilterName, never][]) {
      if (value === undefined || name === "q") continue;
      if (!COUNTED.includes(name) || all[name] !== undefined) return null;
      all[name] = value;
    }
  const { type, source, reportsFailure: platform = false, state = [] } = all;
  const [only, ...others] = state;
  if (others.length > 0 || only === "pending" || type?.some(isTypePattern) || all.reportsFailure === false) return null;
  return { types: platform ? FAILURE_TYPES.filter((each) => type?.includes(each) ?? true) : type, source, platform, state: only };
}

/** Returns the whole hours between two moments (milliseconds; null for open); null where there are none. */
export function wholeHours(from: number, to: number | null): WholeHours | null {
  const whole = { from: Math.ceil(from / HOUR_MS) * HOUR_MS, to: to === null ? null : Math.floor(to / HOUR_MS) * HOUR_MS };
  return whole.to !== null && whole.to <= whole.from ? null : whole;
}

const hourOf = (at: string) => `date_trunc('hour', ${at}, 'UTC')`;

/** Returns a query of `hour` and `n` (may repeat or be negative): counters, uncounted events and edges of one snapshot. Milliseconds. */
export function hoursSql(
  parsed: ParsedFilter,
  { types, source, platform, state }: Asked,
  bound: SqlParams,
  period: { from: number; to: number | null },
  whole: WholeHours,
): string {
  const time = (ms: number) => `${bound.bind(new Date(ms).toISOString())}::timestamptz`;
  const [from, to] = [time(whole.from), whole.to === null ? null : time(whole.to)];
  const within = (at: string) => `${at} >= ${from}${to === null ? "" : ` AND ${at} < ${to}`}`;
  const type = types === undefined ? null : `${bound.bind(types)}::text[]`;
  const ofSource = [...(source === undefined ? [] : [`s.name = ${bound.bind(source)}`]), ...(platform ? ["s.records = 'platform'"] : [])];
  const sourceIds =
    ofSource.length === 0
      ? null
      : `ANY(ARRAY(SELECT s.id FROM sources s WHERE ${[`s.workspace_id = ${bound.workspace}`, ...ofSource].join(" AND ")}))`;
  const matches = (row: string, at: string) =>
    [
      within(at),
      ...(type === null ? [] : [`${row}.type = ANY(${type})`]),
      ...(sourceIds === null ? [] : [`${row}.source_id = ${sourceIds}`]),
    ].join(" AND ");
  const { counter, failures, uncounted, waiting } = STATES[state ?? "any"];
  const parts = [
    `SELECT h.hour, ${counter} AS n FROM event_hours h WHERE h.workspace_id = ${bound.workspace} AND ${within("h.hour")}
       AND h.source_id = ${sourceIds ?? "''"} AND h.type = ${type === null ? "''" : `ANY(${type})`}`,
  ];
  if (failures !== null)
    parts.push(
      `SELECT f.hour, ${failures} FROM event_hour_failures f WHERE f.workspace_id = ${bound.workspace} AND ${matches("f", "f.hour")}`,
    );
  if (uncounted !== null)
    parts.push(
      `SELECT ${hourOf("u.received_at")}, 1 FROM uncounted_events(${bound.workspace}) u WHERE ${uncounted} AND ${matches("u", "u.received_at")}`,
    );
  if (waiting !== null)
    parts.push(
      `SELECT ${hourOf("e.received_at")}, -1 FROM (SELECT DISTINCT received_at, seq FROM ${waitingPlacesSql(bound.workspace)} p) w
        JOIN events e ON e.received_at = w.received_at AND e.seq = w.seq
        LEFT JOIN dead_letters d ON d.received_at = w.received_at AND d.seq = w.seq
        WHERE ${waiting} AND ${matches("e", "e.received_at")}`,
    );
  const conditions = () => [parsed.filter, ...parsed.search.filters].flatMap((each) => conditionsOf(each, bound, null, false));
  const edges: [number, number | null][] = [
    [period.from, whole.from],
    ...(whole.to === null ? [] : [[whole.to, period.to] as [number, number | null]]),
  ];
  for (const [begin, end] of edges)
    if (end !== null && begin < end)
      parts.push(
        `SELECT ${hourOf("e.received_at")}, count(*) FROM events e JOIN sources s ON s.id = e.source_id
          WHERE ${[`e.workspace_id = ${bound.workspace}`, `e.received_at >= ${time(begin)}`, `e.received_at < ${time(end)}`, ...conditions()].join(" AND ")}
          GROUP BY 1`,
      );
  return parts.join(" UNION ALL ");
}

type Parts = {
  counter: string;
  /** Number in a row of `event_hour_failures`; null where none counts. */
  failures: string | null;
  /** Condition on an event that was not counted yet; null where none counts. */
  uncounted: string | null;
  /** Condition on a waiting event that the counters include and that must be subtracted; null where there is none. */
  waiting: string | null;
};

/** Dead letters that wait for a re-delivery are pending. Waiting events count as processed or unrecognised from their receipt. */
const STATES: Record<CountedState | "any", Parts> = {
  any: { counter: "h.events", failures: null, uncounted: "true", waiting: null },
  failed: { counter: "h.failed", failures: "f.change", uncounted: null, waiting: "d.seq IS NOT NULL" },
  processed: {
    counter: "h.events - h.unrecognised - (h.failed - h.failed_unrecognised)",
    failures: "CASE WHEN f.recognised THEN -f.change ELSE 0 END",
    uncounted: "u.recognised",
    waiting: "d.seq IS NULL AND e.recognised",
  },
  unrecognised: {
    counter: "h.unrecognised - h.failed_unrecognised",
    failures: "CASE WHEN f.recognised THEN 0 ELSE -f.change END",
    uncounted: "NOT u.recognised",
    waiting: "d.seq IS NULL AND NOT e.recognised",
  },
};

import { CLOCK_TOLERANCE_S } from "#lib/contracts/api/bounds";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type EventOrder, isOfType, usualOrder } from "#lib/contracts/events/event-filters";
import type { EventFilter, EventVolume } from "#lib/contracts/events/events";
import type { Overview } from "#lib/contracts/overview";
import { countCapped, plannedRows, queryWithin } from "#lib/db/bounded-query";
import { pool } from "#lib/db/pool";
import { changesOne, queryRows } from "#lib/db/rows";
import { eventSecondsSql } from "#lib/db/sql";
import { FAILURE_TYPES } from "#lib/platform/event-catalogue";
import { askedOf, HOUR_MS } from "./hour-counter-sql.ts";
import { countByHours, type Period } from "./hour-counter-store.ts";
import { everFailedSql, FREQUENT_ONE_IN, newestFiledSql, SqlParams } from "./search/candidate-queries.ts";
import { withGap } from "./search/coverage-store.ts";
import { estimablePart } from "./search/filter-conditions.ts";
import { filterSql, rangeOf } from "./search/filter-sql.ts";
import { withTypesOfLog } from "./search/log-types-store.ts";
import { type ParsedFilter, parseFilter, type SoughtTerm, searchesText, tsqueryOf } from "./search/query.ts";
import { findLeadTerms, isWalkedWhole } from "./search/strategy-store.ts";

/** `maxMatches`: most matches of a narrow table that are counted. `limitMs`: how long one count may take, in milliseconds. */
const LIMITS = { maxMatches: 10_000, limitMs: 700 };
type Limits = typeof LIMITS;
const BARS = 60;
const STEPS_SECONDS = [1, 5, 10, 30, 60, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400, 604_800, 2_592_000];

type Counted = { bars: Map<number, number>; total: number; precision: EventVolume["precision"] };

/** Counts matches in some 60 steps within the log and until now; an estimate where counting takes too long. */
export async function readVolume(
  workspaceId: WorkspaceId,
  filter: EventFilter,
  now: Date,
  given: Partial<Limits> = {},
): Promise<EventVolume> {
  const { found, gap } = await withGap(filter, now, () => volumeOf(workspaceId, filter, now, { ...LIMITS, ...given }));
  return gap && found.precision === "exact" ? { ...found, precision: "at_least" } : found;
}

async function volumeOf(workspaceId: WorkspaceId, asked: EventFilter, now: Date, limits: Limits): Promise<EventVolume> {
  const parsed = await withTypesOfLog(workspaceId, parseFilter(asked));
  const { filter } = parsed;
  const by = usualOrder(filter, now.getTime());
  const range = by === "occurred" ? occurredRange(filter, now) : await periodOf(workspaceId, filter, now);
  // The period is the range's from here on: no statement reads the clock.
  const received = by === "occurred" ? rangeOf(filter, now).from : range.from;
  const within = (more: EventFilter) => ({ ...parsed, filter: { ...filter, period: undefined, from: received, ...more } });
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
  const step = stepFor(to - from);
  const first = Math.floor(from / 1000 / step) * step;
  const length = Math.max(1, Math.floor((to / 1000 - first) / step) + 1);
  const steps: Bars = { first, step, length };
  const period: Period = {
    from: range.withLog ? Math.floor(from / HOUR_MS) * HOUR_MS : from,
    to: filter.to === undefined ? null : Date.parse(filter.to),
  };
  let lead: Promise<SoughtTerm[]> | undefined;
  // Asked for once, and not at all where no count needs the index.
  const leadTerms = () => (lead ??= findLeadTerms(workspaceId, within({}), now));
  const countedByHours = async (asked: ParsedFilter): Promise<Counted | null> => {
    const bars = await countByHours(workspaceId, asked, period, { step, limitMs: limits.limitMs });
    if (bars === "unknown_to_counters") return null;
    if (bars === "too_slow") return { bars: new Map(), total: 0, precision: "unknown" };
    return { bars, total: sumOf(bars), precision: "exact" };
  };
  const countOf = async (asked: ParsedFilter) =>
    (await countedByHours(asked)) ?? (await count(workspaceId, asked, now, { by, step, limits, leadTerms }));
  const estimateOf = (asked: EventFilter) => estimate(workspaceId, asked, now, range, steps);
  const frequent = await estimateFrequent(
    workspaceId,
    within({}),
    steps,
    limits,
    async (rest) => (await countedByHours(parseFilter(rest))) ?? estimateOf(rest),
  );
  const counted = frequent ?? (await countOf(within({})));
  const whole = counted.precision === "unknown" ? await estimateOf(filter) : counted;
  const mayFail = !filter.state || filter.state.includes("failed");
  const failed = mayFail ? await countOf(within({ state: ["failed"] })) : null;
  const ever = filter.everFailed === false ? null : await countOf(within({ everFailed: true }));
  const repaired = filter.repaired === false || ever?.total === 0 ? null : await countOf(within({ repaired: true }));
  const reporting = mayReport(filter) ? await countOf(within({ reportsFailure: true })) : null;
  // Failed here, too: they are among those.
  const both = reporting?.total && ever?.total ? await countOf(within({ reportsFailure: true, everFailed: true })) : null;
  const bars = Array.from({ length }, (_, index) => {
    const at = first + index * step;
    const of = (counted: Counted | null) => counted?.bars.get(at) ?? 0;
    // Each is counted in a moment of its own.
    const everFailed = Math.max(of(ever), of(failed) + of(repaired));
    const reported = Math.max(0, of(reporting) - of(both));
    const count = Math.max(of(whole), everFailed + reported);
    return { at: new Date(at * 1000).toISOString(), count, failed: of(failed), everFailed, repaired: of(repaired), reported };
  });
  return { from: range.from, to: range.to, stepSeconds: step, total: whole.total, precision: whole.precision, by, bars };
}

/** False where a filter leaves no event that reports a failure and never failed here. */
const mayReport = ({ state, type, reportsFailure, everFailed, repaired }: EventFilter): boolean =>
  reportsFailure !== false &&
  everFailed !== true &&
  repaired !== true &&
  state?.every((each) => each === "failed") !== true &&
  type?.some((asked) => FAILURE_TYPES.some((each) => isOfType(asked, each))) !== false;

/** What has not occurred yet is shown as far as a sender's clock may be ahead. */
function occurredRange({ occurredFrom, occurredTo }: EventFilter, now: Date): { from: string; to: string; withLog: boolean } {
  const from = Date.parse(occurredFrom ?? now.toISOString());
  const end = now.getTime() + CLOCK_TOLERANCE_S * 1000;
  const to = Math.max(from, occurredTo === undefined ? end : Math.min(end, Date.parse(occurredTo)));
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), withLog: false };
}

const sumOf = (bars: Map<number, number>) => [...bars.values()].reduce((sum, n) => sum + n, 0);

function stepFor(ms: number): number {
  const longest = STEPS_SECONDS.at(-1) ?? 1;
  return STEPS_SECONDS.find((step) => ms / 1000 / step <= BARS) ?? Math.ceil(ms / 1000 / BARS / longest) * longest;
}

/** Cuts the asked-for period to the log; one that moves on with the time keeps its length. `withLog`: it begins with the log. */
async function periodOf(workspaceId: WorkspaceId, filter: EventFilter, now: Date): Promise<{ from: string; to: string; withLog: boolean }> {
  const asked = rangeOf(filter, now);
  const to = Math.min(asked.to === undefined ? now.getTime() : Date.parse(asked.to), now.getTime());
  const from = asked.from === undefined ? null : Date.parse(asked.from);
  const movesOn = filter.period !== undefined && asked.from !== filter.from;
  const beginning = await findBeginning(workspaceId, now);
  const begin = movesOn && from !== null ? from : Math.max(from ?? 0, beginning);
  // A range that ends before the log begins, or begins after now, is one empty bar.
  return { from: new Date(begin).toISOString(), to: new Date(Math.max(to, begin)).toISOString(), withLog: begin === beginning };
}

async function findBeginning(workspaceId: WorkspaceId, now: Date): Promise<number> {
  const { rows } = await pool().query<{ received_at: Date }>(
    "SELECT received_at FROM events WHERE workspace_id = $1 ORDER BY received_at, seq LIMIT 1",
    [workspaceId],
  );
  return rows[0]?.received_at.getTime() ?? now.getTime() - 3_600_000;
}

type CountOptions = { by: EventOrder; step: number; limits: Limits; leadTerms: () => Promise<SoughtTerm[]> };

async function count(
  workspaceId: WorkspaceId,
  parsed: ParsedFilter,
  now: Date,
  { by, step, limits: { limitMs, maxMatches }, leadTerms }: CountOptions,
): Promise<Counted> {
  const walk = await isWalkedWhole(workspaceId, parsed, now);
  const { driver, where, bound } = filterSql(workspaceId, parsed, now, walk ? { walk } : { lead: await leadTerms() });
  const sources = where.some((condition) => condition.startsWith("s.")) ? "JOIN sources s ON s.id = e.source_id" : "";
  const conditions = where.join(" AND ");
  const secondsOf = (table: string) => (by === "occurred" ? eventSecondsSql(table) : `extract(epoch FROM ${table}.received_at)`);
  // The driver knows the workspace: with nothing else to ask of an event, its row is not read.
  const places = !driver
    ? `SELECT ${secondsOf("e")} AS seconds FROM events e ${sources} WHERE ${conditions}`
    : where.length === 1 && by === "received"
      ? `SELECT ${secondsOf("p")} AS seconds FROM (${driver}) p LIMIT ${maxMatches + 1}`
      : `SELECT x.seconds FROM (${driver}) p CROSS JOIN LATERAL (
           SELECT ${secondsOf("e")} AS seconds FROM events e ${sources}
            WHERE e.received_at = p.received_at AND e.seq = p.seq AND ${conditions} OFFSET 0) x LIMIT ${maxMatches + 1}`;
  const rows = await queryWithin<{ at: number; n: number }>(
    limitMs,
    `SELECT floor(seconds / ${step}::float8)::bigint * ${step} AS at, count(*) AS n FROM (${places}) m GROUP BY 1`,
    bound.values,
  );
  if (!rows) return { bars: new Map(), total: 0, precision: "unknown" };
  const total = rows.reduce((sum, { n }) => sum + n, 0);
  const cut = driver !== null && total > maxMatches;
  return { bars: new Map(rows.map(({ at, n }) => [at, n])), total: cut ? maxMatches : total, precision: cut ? "at_least" : "exact" };
}

/** Estimates matches of frequent words: all events of each bar (by `countRest`) times a sample's share. Null where that doesn't apply. */
async function estimateFrequent(
  workspaceId: WorkspaceId,
  parsed: ParsedFilter,
  bars: Bars,
  { limitMs, maxMatches }: Limits,
  countRest: (rest: EventFilter) => Promise<Counted>,
): Promise<Counted | null> {
  const type = onlyType(parsed);
  if (type === undefined || !searchesText(parsed) || !(await isFrequent(workspaceId, parsed, limitMs))) return null;
  const { from, to } = parsed.filter;
  const rest = await countRest({ from, to, ...(type === null ? {} : { type: [type] }) });
  if (rest.total <= maxMatches) return null;
  const shares = await sampleShares(workspaceId, parsed, type, bars, limitMs);
  if (shares === null || shares.size === 0) return null;
  // Events of a moment ago are not filed yet.
  const usual = [...shares.values()].reduce((sum, share) => sum + share, 0) / shares.size;
  const found = new Map([...rest.bars].map(([at, n]) => [at, Math.round(n * (shares.get(at) ?? usual))]));
  const total = sumOf(found);
  return total > maxMatches ? { bars: found, total, precision: "estimate" } : null;
}

/** Returns the only type asked for besides words and a period, null for none; undefined where anything else is asked. */
function onlyType({ filter, search }: ParsedFilter): string | null | undefined {
  const asked = askedOf({ filter, search: { ...search, terms: [] } });
  if (asked === null || asked.source !== undefined || asked.platform || asked.state !== undefined) return undefined;
  const [only = null, ...others] = asked.types ?? [];
  return others.length === 0 ? only : undefined;
}

/** Returns the planner's estimate of each bar, by one statement; "unknown" for filters of which it has none good enough. */
async function estimate(
  workspaceId: WorkspaceId,
  filter: EventFilter,
  now: Date,
  range: { from: string; to: string },
  { first, step, length }: Bars,
): Promise<Counted> {
  const bars = new Map<number, number>();
  const part = estimablePart(filter);
  if (part === null) return { bars, total: 0, precision: "unknown" };
  const { where, bound } = filterSql(workspaceId, parseFilter(part), now, { estimated: true });
  const conditions = where.join(" AND ");
  const [from, to] = [bound.bind(range.from), bound.bind(range.to)];
  const starts = Array.from({ length }, (_, index) => first + index * step);
  const parts = starts.map((at) => {
    const bar = `e.received_at >= to_timestamp(${at}) AND e.received_at < to_timestamp(${at + step})`;
    return `SELECT 1 FROM events e JOIN sources s ON s.id = e.source_id
      WHERE ${conditions} AND e.received_at >= ${from}::timestamptz AND e.received_at <= ${to}::timestamptz AND ${bar}`;
  });
  const estimates = await plannedRows(parts, bound.values);
  // An empty bar is estimated at one row.
  for (const [index, rows] of estimates.entries()) bars.set(starts[index] ?? first, rows <= 1 ? 0 : Math.round(rows));
  return { bars, total: sumOf(bars), precision: "estimate" };
}

/** Parts of a bar; the newest events of each are looked at. */
const PARTS = 4;
const EVENTS = 16;
/** A frequency below one in 20 of the newest 1,000 events can't be measured by a sample of a few thousand. */
const NEWEST = 1000;

/** Bars of a histogram, Unix seconds: of the length `step`, the first at `first`. */
type Bars = { first: number; step: number; length: number };

/** True where at least one in 20 of the newest events has a search's words; false where counting those took too long. */
async function isFrequent(workspaceId: WorkspaceId, { search }: ParsedFilter, limitMs: number): Promise<boolean> {
  const bound = new SqlParams(workspaceId, { from: undefined, to: undefined }, undefined);
  const sought = bound.bind(tsqueryOf(workspaceId, search.terms));
  const rows = await queryWithin<{ read: number; found: number }>(
    limitMs,
    `SELECT count(*) AS read, count(*) FILTER (WHERE t.terms @@ ${sought}::tsquery) AS found FROM (${newestFiledSql(bound, NEWEST)}) t`,
    bound.values,
  );
  const { read, found } = rows?.[0] ?? { read: 0, found: 0 };
  return read > 0 && found * FREQUENT_ONE_IN >= read;
}

/** Returns the share (0 to 1) of each bar's events that match, from up to 64 spread over it; no share for a bar without filed events. */
async function sampleShares(
  workspaceId: WorkspaceId,
  { search }: ParsedFilter,
  type: string | null,
  { first, step, length }: Bars,
  limitMs: number,
): Promise<Map<number, number> | null> {
  const values = [workspaceId, tsqueryOf(workspaceId, search.terms), ...(type === null ? [] : [type])];
  const within = (row: string) =>
    `${row}.workspace_id = $1 AND ${row}.received_at >= to_timestamp(p.at) AND ${row}.received_at < to_timestamp(p.at + ${step / PARTS})`;
  const newest = `ORDER BY received_at DESC, seq DESC LIMIT ${EVENTS}`;
  const sampled =
    type === null
      ? `SELECT f.terms FROM event_search f WHERE ${within("f")} ${newest}`
      : `SELECT f.terms FROM (SELECT received_at, seq FROM events e WHERE ${within("e")} AND e.type = $3 ${newest}) e
          CROSS JOIN LATERAL (SELECT terms FROM event_search f WHERE f.workspace_id = $1 AND f.received_at = e.received_at AND f.seq = e.seq OFFSET 0) f`;
  const rows = await queryWithin<{ at: number; share: number }>(
    limitMs,
    `SELECT floor(p.at / ${step})::bigint * ${step} AS at, avg(CASE WHEN s.terms @@ $2::tsquery THEN 1 ELSE 0 END)::float8 AS share
     FROM (SELECT ${first} + n * ${step / PARTS}::float8 AS at FROM generate_series(0, ${length * PARTS - 1}) n) p
       CROSS JOIN LATERAL (${sampled}) s GROUP BY 1`,
    values,
  );
  return rows && new Map(rows.map(({ at, share }) => [at, share]));
}

const MAX_DAY_EVENTS = 100_001;

const LIMIT_MS = 700;

/** Counts events since a moment, up to 100,001: a long log must not make the overview slow. */
export async function countEventsSince(workspaceId: WorkspaceId, since: Date): Promise<number> {
  const period = { from: since.getTime(), to: null };
  const bars = await countByHours(workspaceId, parseFilter({}), period, { step: HOUR_MS / 1000, limitMs: LIMIT_MS });
  if (bars instanceof Map)
    return Math.min(
      MAX_DAY_EVENTS,
      [...bars.values()].reduce((sum, n) => sum + n, 0),
    );
  return countCapped("SELECT 1 FROM events WHERE workspace_id = $1 AND received_at >= $2", [workspaceId, since], MAX_DAY_EVENTS);
}

export const hasEvents = (workspaceId: WorkspaceId): Promise<boolean> =>
  changesOne(pool(), "SELECT 1 FROM events WHERE workspace_id = $1 LIMIT 1", [workspaceId]);

/** Counts received events of the last minutes, and those that failed, were repaired, or report a failure; oldest first, empty minutes included. */
export async function countPerMinute(workspaceId: WorkspaceId, minutes: number): Promise<Overview["perMinute"]> {
  const { rows } = await pool().query<Omit<Overview["perMinute"][number], "minute"> & { minute: Date }>(
    `WITH span AS (SELECT generate_series(date_trunc('minute', now()) - make_interval(mins => $2 - 1), date_trunc('minute', now()), '1 minute') AS minute),
     counted AS (
       SELECT date_trunc('minute', e.received_at) AS minute, count(*) AS received, count(d.seq) AS failed,
         count(*) FILTER (WHERE e.type = ANY($3::text[]) AND s.records = 'platform' AND NOT ${everFailedSql("e")}) AS reported
       FROM events e JOIN sources s ON s.id = e.source_id LEFT JOIN dead_letters d ON d.received_at = e.received_at AND d.seq = e.seq
       WHERE e.workspace_id = $1 AND e.received_at >= date_trunc('minute', now()) - make_interval(mins => $2 - 1) GROUP BY 1),
     repaired AS (
       SELECT date_trunc('minute', f.received_at) AS minute, count(DISTINCT f.seq) AS n FROM issue_events f
       WHERE f.workspace_id = $1 AND f.subject IS NULL AND f.received_at >= date_trunc('minute', now()) - make_interval(mins => $2 - 1)
         AND NOT EXISTS (SELECT 1 FROM dead_letters d WHERE d.received_at = f.received_at AND d.seq = f.seq) GROUP BY 1)
     SELECT span.minute, coalesce(counted.received, 0) AS received, coalesce(counted.failed, 0) AS failed, coalesce(repaired.n, 0) AS repaired,
       coalesce(counted.reported, 0) AS reported
     FROM span LEFT JOIN counted USING (minute) LEFT JOIN repaired USING (minute) ORDER BY span.minute`,
    [workspaceId, minutes, FAILURE_TYPES],
  );
  return rows.map(({ minute, ...counts }) => ({ minute: minute.toISOString(), ...counts }));
}

export type DayCount = { sourceId: string; type: string; day: Date; events: number };

/** Counts the events of each source and type by day (UTC), of all workspaces. `from`, `to`: whole days. */
export const countByDay = (from: Date, to: Date): Promise<DayCount[]> =>
  queryRows<DayCount>(
    pool("worker"),
    `SELECT h.source_id AS "sourceId", h.type, date_trunc('day', h.hour, 'UTC') AS day, sum(h.events)::float8 AS events FROM event_hours h
     WHERE h.source_id <> '' AND h.type <> '' AND h.hour >= $1 AND h.hour < $2 GROUP BY 1, 2, 3`,
    [from.toISOString(), to.toISOString()],
  );

import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter, EventVolume } from "#lib/contracts/events/events";
import { pool } from "#lib/db/pool";
import { queryWithin } from "#lib/db/query-within";
import { countByHours, type Period } from "./hours/hour-store.ts";
import { HOUR_MS } from "./hours/hours-sql.ts";
import { estimablePart } from "./search/filter-conditions.ts";
import { filterSql, rangeOf } from "./search/filter-sql.ts";
import { findLeadTerms } from "./search/lead-terms-store.ts";
import { type ParsedFilter, parseFilter, type SoughtTerm } from "./search/query.ts";

/** Most matches of a narrow table that are counted. */
const MAX_MATCHES = 10_000;
const LIMIT_MS = 700;
const BARS = 60;
const STEPS_SECONDS = [1, 5, 10, 30, 60, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400, 604_800, 2_592_000];

type Counted = { bars: Map<number, number>; total: number; precision: EventVolume["precision"] };

/**
 * Returns how many events match, over time, in at most some 60 steps: counted where that is quick, else marked as an estimate.
 * The period begins with the log at the earliest and ends now at the latest, whatever was asked for.
 *
 * @param limitMs how long counting may take, in milliseconds
 */
export async function readVolume(workspaceId: WorkspaceId, filter: EventFilter, now: Date, limitMs = LIMIT_MS): Promise<EventVolume> {
  const parsed = parseFilter(filter);
  const range = await periodOf(workspaceId, filter, now);
  // The period is the range's from here on: no statement reads the clock.
  const within = (more: EventFilter) => ({ ...parsed, filter: { ...filter, period: undefined, from: range.from, ...more } });
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
  const step = stepFor(to - from);
  const first = Math.floor(from / 1000 / step) * step;
  const length = Math.max(1, Math.floor((to / 1000 - first) / step) + 1);
  const period: Period = {
    from: range.withLog ? Math.floor(from / HOUR_MS) * HOUR_MS : from,
    to: filter.to === undefined ? null : Date.parse(filter.to),
  };
  const lead = await findLeadTerms(workspaceId, within({}), now);
  const countOf = async (asked: ParsedFilter): Promise<Counted> => {
    const bars = await countByHours(workspaceId, asked, period, { step, limitMs });
    if (bars === "unknown_to_counters") return count(workspaceId, asked, now, { step, limitMs, lead });
    if (bars === "too_slow") return { bars: new Map(), total: 0, precision: "unknown" };
    return { bars, total: sumOf(bars), precision: "exact" };
  };
  const counted = await countOf(within({}));
  const whole = counted.precision === "unknown" ? await estimate(workspaceId, filter, now, range, { first, step, length }) : counted;
  const mayFail = !filter.state || filter.state.includes("failed");
  const failed = mayFail ? await countOf(within({ state: ["failed"] })) : null;
  const bars = Array.from({ length }, (_, index) => {
    const at = first + index * step;
    return { at: new Date(at * 1000).toISOString(), count: whole.bars.get(at) ?? 0, failed: failed?.bars.get(at) ?? 0 };
  });
  return { from: range.from, to: range.to, stepSeconds: step, total: whole.total, precision: whole.precision, bars };
}

const sumOf = (bars: Map<number, number>) => [...bars.values()].reduce((sum, n) => sum + n, 0);

/** A step that makes at most some 60 bars of any period: of the list, or as many times the longest as it takes. */
function stepFor(ms: number): number {
  const longest = STEPS_SECONDS.at(-1) ?? 1;
  return STEPS_SECONDS.find((step) => ms / 1000 / step <= BARS) ?? Math.ceil(ms / 1000 / BARS / longest) * longest;
}

/** The asked-for period as far as the log can hold something of it; one that moves on with the time keeps its length. `withLog`: it begins with the log. */
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

/** Returns when the log begins; an hour ago where there is none. */
async function findBeginning(workspaceId: WorkspaceId, now: Date): Promise<number> {
  const { rows } = await pool().query<{ received_at: Date }>(
    "SELECT received_at FROM events WHERE workspace_id = $1 ORDER BY received_at, seq LIMIT 1",
    [workspaceId],
  );
  return rows[0]?.received_at.getTime() ?? now.getTime() - 3_600_000;
}

async function count(
  workspaceId: WorkspaceId,
  parsed: ParsedFilter,
  now: Date,
  { step, limitMs, lead }: { step: number; limitMs: number; lead: SoughtTerm[] },
): Promise<Counted> {
  const { driver, where, bound } = filterSql(workspaceId, parsed, now, { lead });
  const sources = where.some((condition) => condition.startsWith("s.")) ? "JOIN sources s ON s.id = e.source_id" : "";
  const conditions = where.join(" AND ");
  // The driver knows the workspace: with nothing else to ask of an event, its row is not read.
  const asked =
    where.length === 1
      ? ""
      : `CROSS JOIN LATERAL (SELECT 1 FROM events e ${sources} WHERE e.received_at = p.received_at AND e.seq = p.seq AND ${conditions} OFFSET 0) x`;
  const places = driver
    ? `SELECT p.received_at FROM (${driver}) p ${asked} LIMIT ${MAX_MATCHES + 1}`
    : `SELECT e.received_at FROM events e ${sources} WHERE ${conditions}`;
  const rows = await queryWithin<{ at: number; n: number }>(
    limitMs,
    `SELECT floor(extract(epoch FROM received_at) / ${step})::bigint * ${step} AS at, count(*) AS n FROM (${places}) m GROUP BY 1`,
    bound.values,
  );
  if (!rows) return { bars: new Map(), total: 0, precision: "unknown" };
  const total = rows.reduce((sum, { n }) => sum + n, 0);
  const cut = driver !== null && total > MAX_MATCHES;
  return { bars: new Map(rows.map(({ at, n }) => [at, n])), total: cut ? MAX_MATCHES : total, precision: cut ? "at_least" : "exact" };
}

/**
 * The planner's own estimate of each bar, all of them by one statement; "unknown" for filters of which it has none
 * worth telling.
 */
async function estimate(
  workspaceId: WorkspaceId,
  filter: EventFilter,
  now: Date,
  range: { from: string; to: string },
  { first, step, length }: { first: number; step: number; length: number },
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
  const estimates = await planRows(parts, bound.values);
  // An empty bar is estimated at one row.
  for (const [index, rows] of estimates.entries()) bars.set(starts[index] ?? first, rows <= 1 ? 0 : Math.round(rows));
  return { bars, total: sumOf(bars), precision: "estimate" };
}

type Plan = { Alias?: string; "Plan Rows": number; Plans?: Plan[] };

/** Returns how many rows the planner expects of each of some statements. Each stands under a name of its own, which it keeps in the plan. */
async function planRows(statements: string[], values: unknown[]): Promise<number[]> {
  const named = statements.map((text, index) => `SELECT ${index} AS part FROM (${text} OFFSET 0) part_${index}`);
  const { rows } = await pool().query<{ "QUERY PLAN": { Plan: Plan }[] }>(`EXPLAIN (FORMAT JSON) ${named.join(" UNION ALL ")}`, values);
  const found = new Map<string, number>();
  const walk = (plan: Plan) => {
    if (plan.Alias?.startsWith("part_")) found.set(plan.Alias, plan["Plan Rows"]);
    else for (const each of plan.Plans ?? []) walk(each);
  };
  for (const { Plan } of rows[0]?.["QUERY PLAN"] ?? []) walk(Plan);
  return statements.map((_, index) => found.get(`part_${index}`) ?? 0);
}

import type { EventFilter, EventVolume } from "#lib/contracts/events";
import type { WorkspaceId } from "#lib/contracts/ids";
import { pool } from "#lib/db/pool";
import { queryWithin } from "#lib/db/query-within";
import { filterSql, rangeOf } from "./event-filter-sql.ts";

/** What a narrow table knows is counted up to here. */
const MOST = 10_000;
const LIMIT_MS = 700;
const BARS = 60;
const STEPS_SECONDS = [1, 5, 10, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 604_800, 2_592_000];

type Counted = { bars: Map<number, number>; total: number; precision: EventVolume["precision"] };

/** How many events match, over time, in at most some 60 steps: counted where that is quick, else told as what it is. */
export async function readVolume(workspaceId: WorkspaceId, filter: EventFilter, now = new Date()): Promise<EventVolume> {
  const range = rangeOf(filter, now);
  const to = Math.min(range.to === undefined ? now.getTime() : Date.parse(range.to), now.getTime());
  const from = range.from === undefined ? await findBeginning(workspaceId, to) : Date.parse(range.from);
  const step = stepFor(to - from);
  const first = Math.floor(from / 1000 / step) * step;
  const counted = await count(workspaceId, filter, step, now);
  const whole = counted.precision === "unknown" ? await estimate(workspaceId, filter, { first, step, to, now }) : counted;
  const mayFail = !filter.status || filter.status.includes("failed");
  const failed = mayFail ? await count(workspaceId, { ...filter, status: ["failed"] }, step, now) : null;
  const length = Math.max(1, Math.floor((to / 1000 - first) / step) + 1);
  const bars = Array.from({ length }, (_, index) => {
    const at = first + index * step;
    return { at: new Date(at * 1000).toISOString(), count: whole.bars.get(at) ?? 0, failed: failed?.bars.get(at) ?? 0 };
  });
  const iso = (ms: number) => new Date(ms).toISOString();
  return { from: iso(Math.min(from, to)), to: iso(to), stepSeconds: step, total: whole.total, precision: whole.precision, bars };
}

const stepFor = (ms: number) => STEPS_SECONDS.find((step) => ms / 1000 / step <= BARS) ?? 2_592_000;

/** When the log begins; an hour ago where there is none. */
async function findBeginning(workspaceId: WorkspaceId, to: number): Promise<number> {
  const { rows } = await pool().query<{ received_at: Date }>(
    "SELECT received_at FROM events WHERE workspace_id = $1 ORDER BY received_at, seq LIMIT 1",
    [workspaceId],
  );
  return rows[0]?.received_at.getTime() ?? to - 3_600_000;
}

async function count(workspaceId: WorkspaceId, filter: EventFilter, step: number, now: Date): Promise<Counted> {
  const { driver, where, bound } = filterSql(workspaceId, filter, { now });
  const sources = where.some((condition) => condition.startsWith("s.")) ? "JOIN sources s ON s.id = e.source_id" : "";
  const conditions = where.join(" AND ");
  const places = driver
    ? `SELECT p.received_at FROM (${driver.sql}) p CROSS JOIN LATERAL (SELECT 1 FROM events e ${sources}
        WHERE e.received_at = p.received_at AND e.seq = p.seq AND ${conditions} OFFSET 0) x LIMIT ${MOST + 1}`
    : `SELECT e.received_at FROM events e ${sources} WHERE ${conditions}`;
  const rows = await queryWithin<{ at: number; n: number }>(
    LIMIT_MS,
    `SELECT floor(extract(epoch FROM received_at) / ${step})::bigint * ${step} AS at, count(*) AS n FROM (${places}) m GROUP BY 1`,
    bound.values,
  );
  if (!rows) return { bars: new Map(), total: 0, precision: "unknown" };
  const total = rows.reduce((sum, { n }) => sum + n, 0);
  const cut = driver !== null && total > MOST;
  return { bars: new Map(rows.map(({ at, n }) => [at, n])), total: cut ? MOST : total, precision: cut ? "at_least" : "exact" };
}

/** The planner's own estimate of each bar; only a filter of type, source and period has one worth telling. */
async function estimate(
  workspaceId: WorkspaceId,
  filter: EventFilter,
  { first, step, to, now }: { first: number; step: number; to: number; now: Date },
): Promise<Counted> {
  const bars = new Map<number, number>();
  const simple = !filter.q && !filter.resource && !filter.connection && !filter.duplicates && !filter.status;
  if (!simple) return { bars, total: 0, precision: "unknown" };
  for (let at = first; at * 1000 <= to; at += step) {
    const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
    const { from, to: end } = rangeOf(filter, now);
    const bar = { ...filter, period: undefined, from: laterOf(from, iso(at)), to: earlierOf(end, iso(at + step)) };
    bars.set(at, await estimateOne(workspaceId, bar));
  }
  return { bars, total: [...bars.values()].reduce((sum, n) => sum + n, 0), precision: "estimate" };
}

const laterOf = (a: string | undefined, b: string) => (a !== undefined && a > b ? a : b);
const earlierOf = (a: string | undefined, b: string) => (a !== undefined && a < b ? a : b);

async function estimateOne(workspaceId: WorkspaceId, { type, ...filter }: EventFilter): Promise<number> {
  let sum = 0;
  for (const one of type ?? [null]) {
    const { where, bound } = filterSql(workspaceId, { ...filter, ...(one === null ? {} : { type: [one] }) });
    const { rows } = await pool().query<{ "QUERY PLAN": { Plan: { "Plan Rows": number } }[] }>(
      `EXPLAIN (FORMAT JSON) SELECT 1 FROM events e JOIN sources s ON s.id = e.source_id WHERE ${where.join(" AND ")}`,
      bound.values,
    );
    sum += rows[0]?.["QUERY PLAN"][0]?.Plan["Plan Rows"] ?? 0;
  }
  // An empty bar is estimated at one row.
  return sum <= 1 ? 0 : Math.round(sum);
}

import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter, SearchedBackTo, SearchedInPart } from "#lib/contracts/events/events";
import { cappedCount, plannedRows, queryWithin } from "#lib/db/bounded-query";
import { pool } from "#lib/db/pool";
import { type Range, SqlParams } from "./candidate-queries.ts";
import { rangeOf } from "./filter-sql.ts";
import { DOWN_TO, MARKED } from "./index-store.ts";
import { parseFilter, type SoughtTerm, searchesText, tsqueryOf } from "./query.ts";
import { CUT_AT, IN_PART } from "./terms.ts";

/** Waiting events are counted up to this number; more are estimated. */
const MAX_COUNTED = 10_000;
/** Milliseconds; a search does not wait longer for this number. */
const LIMIT_MS = 250;

/** Part of the log that is to be filed again, in milliseconds since 1970: `to` is exclusive. */
type Gap = { from: number; to: number };

/** `mark`: a new one after each loss. `gap`: null when the search has all. `steady`: it had all since the time that was asked for. */
type Reach = { mark: string; gap: Gap | null; steady: boolean };

export async function withReach<T>(
  workspaceId: WorkspaceId,
  filter: EventFilter,
  now: Date,
  search: () => Promise<T>,
): Promise<{ found: T; searchedBackTo: SearchedBackTo | undefined }> {
  const { found, gap } = await withGap(filter, now, search);
  const searchedBackTo = gap && { at: new Date(gap.to).toISOString(), eventsWaiting: await countWaiting(workspaceId, gap) };
  return { found, searchedBackTo: searchedBackTo ?? undefined };
}

/** Runs a search and returns the gap it could not look into. If events were lost or filed meanwhile, runs it again between two looks. */
export async function withGap<T>(filter: EventFilter, now: Date, search: () => Promise<T>): Promise<{ found: T; gap: Gap | null }> {
  const since = performance.now();
  const first = await search();
  if (!searchesText(parseFilter(filter))) return { found: first, gap: null };
  const before = await findReach(performance.now() - since);
  if (before.steady) return { found: first, gap: null };
  const found = await search();
  const after = await findReach(0);
  const gap = before.mark === after.mark ? (before.gap ?? after.gap) : { from: Number.NEGATIVE_INFINITY, to: now.getTime() };
  return { found, gap: gap !== null && isIn(gap, rangeOf(filter, now)) ? gap : null };
}

/** Runs a search whose matches are acted on, so that none may be missed. @throws AppError `search_incomplete` */
export async function withWholeReach<T>(workspaceId: WorkspaceId, filter: EventFilter, now: Date, search: () => Promise<T>): Promise<T> {
  const { found, searchedBackTo } = await withReach(workspaceId, filter, now, search);
  if (!searchedBackTo) return found;
  throw new AppError(
    "search_incomplete",
    `The search index is being rebuilt after a crash or a restore of the database. So far it covers events received since ${searchedBackTo.at}. Choose a period that begins later, or try again when it is complete.`,
  );
}

/** A commit may wait this long after its time was noted, and a server's clock be corrected by this much. Milliseconds. */
const MARGIN_MS = 30_000;

async function findReach(elapsedMs: number): Promise<Reach> {
  const { rows } = await pool().query<{ mark: string; from: number; to: number | null; changed: boolean }>({
    name: "search-reach",
    text: `SELECT r.mark::text AS mark, extract(epoch FROM ${DOWN_TO})::float8 * 1000 AS from,
        extract(epoch FROM CASE WHEN NOT t.marked THEN now() WHEN r.before_at IS NOT NULL THEN least(r.before_at, r.begun_at) END)::float8 * 1000 AS to,
        coalesce(greatest(r.begun_at, r.ended_at) > clock_timestamp() - $1::float8 * interval '1 millisecond', false) AS changed
      FROM event_search_refiling r CROSS JOIN LATERAL (SELECT ${MARKED} AS marked) t WHERE r.id = 1`,
    values: [elapsedMs + MARGIN_MS],
  });
  const { mark, from, to, changed } = rows[0] ?? { mark: "", from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, changed: true };
  return { mark, gap: to === null ? null : { from, to }, steady: to === null && !changed };
}

const isIn = ({ from, to }: Gap, period: Range): boolean =>
  from < to && (period.from === undefined || Date.parse(period.from) < to) && (period.to === undefined || Date.parse(period.to) > from);

async function countWaiting(workspaceId: WorkspaceId, { from, to }: Gap): Promise<number> {
  const since = Number.isFinite(from) ? " AND e.received_at >= $3" : "";
  const waiting = `SELECT 1 FROM events e WHERE e.workspace_id = $1 AND e.received_at < $2${since}`;
  const values = [workspaceId, new Date(to).toISOString(), ...(since === "" ? [] : [new Date(from).toISOString()])];
  const rows = await queryWithin<{ n: number }>(LIMIT_MS, cappedCount(waiting, MAX_COUNTED + 1), values);
  const counted = rows?.[0]?.n ?? MAX_COUNTED + 1;
  if (counted <= MAX_COUNTED) return counted;
  const [planned = 0] = await plannedRows([waiting], values);
  return Math.max(counted, Math.round(planned));
}

/** Returns which of these terms some event of the workspace has; true for one that takes too long to look up. */
export const holdTerms = (workspaceId: WorkspaceId, terms: SoughtTerm[]): Promise<boolean[]> =>
  Promise.all(
    terms.map(async (term) => {
      const one = "SELECT 1 FROM event_search f WHERE f.workspace_id = $1 AND f.terms @@ $2::tsquery LIMIT 1";
      const rows = await queryWithin(LIMIT_MS, one, [workspaceId, tsqueryOf(workspaceId, [term])]);
      return rows === null || rows.length > 0;
    }),
  );

/** Exactly the condition of event_search_in_part_idx, or it isn't used. Earlier releases cut at `CUT_AT` terms without a marker. */
const IS_IN_PART = `(length(f.terms) = ${CUT_AT} OR f.terms @@ '${IN_PART}'::tsquery)`;

/** Counts a period's events of whose payload only a part is filed (termsOf). Undefined for a filter without words. */
export async function countSearchedInPart(workspaceId: WorkspaceId, filter: EventFilter, now: Date): Promise<SearchedInPart | undefined> {
  if (!searchesText(parseFilter(filter))) return undefined;
  const bound = new SqlParams(workspaceId, rangeOf(filter, now), undefined);
  const inPart = `SELECT 1 FROM event_search f WHERE ${bound.within("f")} AND ${IS_IN_PART} LIMIT ${MAX_COUNTED + 1}`;
  const rows = await queryWithin<{ n: number }>(LIMIT_MS, `SELECT count(*) AS n FROM (${inPart}) t`, bound.values);
  if (!rows?.[0]) return { count: 0, precision: "unknown" };
  const [{ n }] = rows;
  return n > MAX_COUNTED ? { count: MAX_COUNTED, precision: "at_least" } : { count: n, precision: "exact" };
}

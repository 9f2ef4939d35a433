import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter, SearchedInPart } from "#lib/contracts/events/events";
import { queryWithin } from "#lib/db/query-within";
import { rangeOf } from "./filter-sql.ts";
import { parseFilter, searchesText } from "./query.ts";
import { SqlParams } from "./sql-params.ts";
import { CUT_AT, IN_PART } from "./terms.ts";

const MAX_COUNTED = 10_000;
/** Milliseconds; a search does not wait longer for this number. */
const LIMIT_MS = 250;

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

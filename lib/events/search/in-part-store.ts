import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter, SearchedInPart } from "#lib/contracts/events/events";
import { queryWithin } from "#lib/db/query-within";
import { rangeOf } from "./filter-sql.ts";
import { parseFilter, searchesText } from "./query.ts";
import { SqlParams } from "./sql-params.ts";
import { CUT_AT, IN_PART } from "./terms.ts";

/** Most that are counted. */
const MAX_COUNTED = 10_000;
/** Milliseconds; a search does not wait longer for this number. */
const LIMIT_MS = 250;

/**
 * To the letter the condition of the index event_search_in_part_idx, or it is not used. One that an earlier release filed with all the terms
 * that there might be was most likely cut, and no other has so many.
 */
const IS_IN_PART = `(length(f.terms) = ${CUT_AT} OR f.terms @@ '${IN_PART}'::tsquery)`;

/**
 * Returns how many events of a filter's period are searched in part, since more stands in their payload than is filed of one (terms.ts).
 * Undefined where the filter searches for no words.
 */
export async function countSearchedInPart(workspaceId: WorkspaceId, filter: EventFilter, now: Date): Promise<SearchedInPart | undefined> {
  if (!searchesText(parseFilter(filter))) return undefined;
  const bound = new SqlParams(workspaceId, rangeOf(filter, now), undefined);
  const inPart = `SELECT 1 FROM event_search f WHERE ${bound.within("f")} AND ${IS_IN_PART} LIMIT ${MAX_COUNTED + 1}`;
  const rows = await queryWithin<{ n: number }>(LIMIT_MS, `SELECT count(*) AS n FROM (${inPart}) t`, bound.values);
  if (!rows?.[0]) return { count: 0, precision: "unknown" };
  const [{ n }] = rows;
  return n > MAX_COUNTED ? { count: MAX_COUNTED, precision: "at_least" } : { count: n, precision: "exact" };
}

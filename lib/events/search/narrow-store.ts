import type { WorkspaceId } from "#lib/contracts/api/ids";
import { queryWithin } from "#lib/db/query-within";
import { WALK } from "./candidate-queries.ts";
import { narrowestOf } from "./filter-conditions.ts";
import { rangeOf } from "./filter-sql.ts";
import { type ParsedFilter, searchesText } from "./query.ts";
import { SqlParams } from "./sql-params.ts";

/** Filters that take longer to count leave many. Milliseconds. */
const LIMIT_MS = 250;

/**
 * Returns true where the filters beside a search leave so few events that a walk sees them all: failed events, those of one issue or of one
 * record. Each is then asked for the words, however many others have them.
 *
 * @param before only events before this place count
 */
export async function isWalkedWhole(
  workspaceId: WorkspaceId,
  parsed: ParsedFilter,
  now: Date,
  before?: { at: Date; seq: number },
): Promise<boolean> {
  if (!searchesText(parsed)) return false;
  const bound = new SqlParams(workspaceId, rangeOf(parsed.filter, now), before);
  const narrow = narrowestOf([parsed.filter, ...parsed.search.filters], bound);
  if (narrow === null) return false;
  const text = `SELECT count(*) AS n FROM (${narrow} LIMIT ${WALK + 1}) t`;
  const rows = await queryWithin<{ n: number }>(LIMIT_MS, text, bound.values);
  return rows?.[0] !== undefined && rows[0].n <= WALK;
}

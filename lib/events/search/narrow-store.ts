import type { WorkspaceId } from "#lib/contracts/api/ids";
import { queryWithin } from "#lib/db/query-within";
import { WALK } from "./candidate-queries.ts";
import { narrowestOf } from "./filter-conditions.ts";
import { rangeOf } from "./filter-sql.ts";
import { type ParsedFilter, searchesText } from "./query.ts";
import { SqlParams } from "./sql-params.ts";

/** Milliseconds; filters that take longer to count are not narrow. */
const LIMIT_MS = 250;

/** True where the other filters leave so few events (`before` a place) that a walk sees them all. Each is then checked for the words. */
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

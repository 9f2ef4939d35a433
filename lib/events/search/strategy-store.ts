import type { WorkspaceId } from "#lib/contracts/api/ids";
import { queryWithin } from "#lib/db/bounded-query";
import { FREQUENT_ONE_IN, newestFiledSql, SqlParams, WALK } from "./candidate-queries.ts";
import { narrowestOf } from "./filter-conditions.ts";
import { rangeOf } from "./filter-sql.ts";
import { type ParsedFilter, type SoughtTerm, searchesText, tsqueryOf } from "./query.ts";

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

const FREQUENT = WALK / FREQUENT_ONE_IN;

/** Returns the terms to ask the index by: of beginnings only the rarest, as the index gathers all events of one before it compares. */
export async function findLeadTerms(
  workspaceId: WorkspaceId,
  { filter, search: { terms } }: ParsedFilter,
  now: Date,
  before?: { at: Date; seq: number },
): Promise<SoughtTerm[]> {
  const beginnings = terms.filter(({ prefix }) => prefix);
  if (terms.length < 2 || beginnings.length === 0) return terms;
  const bound = new SqlParams(workspaceId, rangeOf(filter, now), before);
  const counts = beginnings.map((term) => `count(*) FILTER (WHERE t.terms @@ ${bound.bind(tsqueryOf(workspaceId, [term]))}::tsquery)::int`);
  const newest = newestFiledSql(bound);
  const rows = await queryWithin<{ counts: number[] }>(
    LIMIT_MS,
    `SELECT ARRAY[${counts.join(", ")}] AS counts FROM (${newest}) t`,
    bound.values,
  );
  const found = rows?.[0]?.counts ?? beginnings.map(() => 0);
  const fewest = Math.min(...found);
  const leads = fewest > FREQUENT ? [] : beginnings.filter((_, index) => found[index] === fewest).slice(0, fewest === 0 ? undefined : 1);
  const lead = terms.filter((term) => !term.prefix || leads.includes(term));
  return lead.length === 0 ? terms : lead;
}

import type { WorkspaceId } from "#lib/contracts/api/ids";
import { queryWithin } from "#lib/db/query-within";
import { FREQUENT_ONE_IN, newestFiledSql, WALK } from "./candidate-queries.ts";
import { rangeOf } from "./filter-sql.ts";
import { type ParsedFilter, type SoughtTerm, tsqueryOf } from "./query.ts";
import { SqlParams } from "./sql-params.ts";

const FREQUENT = WALK / FREQUENT_ONE_IN;

/** Milliseconds; a search whose words take longer to count is asked as a whole. */
const LIMIT_MS = 250;

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

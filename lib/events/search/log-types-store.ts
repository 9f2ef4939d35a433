import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type EventFilter, isOfType, isTypePattern } from "#lib/contracts/events/event-filters";
import { queryWithin } from "#lib/db/bounded-query";
import { EVENT_TYPES } from "#lib/platform/event-catalogue";
import type { ParsedFilter } from "./query.ts";

/** A sender of ever new types makes neither this list nor a statement long. */
const MAX_TYPES = 1000;
const LIMIT_MS = 700;
/** Types that one statement merges by their index; of more, the log is walked. */
const MAX_MERGED = 50;

/** Steps from type to type through the index: a few pages each. */
const TYPES = `WITH RECURSIVE t AS (
    (SELECT e.type FROM events e WHERE e.workspace_id = $1 ORDER BY e.type LIMIT 1)
    UNION ALL
    SELECT (SELECT e.type FROM events e WHERE e.workspace_id = $1 AND e.type > t.type ORDER BY e.type LIMIT 1) FROM t WHERE t.type IS NOT NULL)
  SELECT type FROM t WHERE type IS NOT NULL LIMIT ${MAX_TYPES + 1}`;

/** Lists the types that the log holds, at most 1,000; null where there are more, or reading them takes too long. */
export async function listLogTypes(workspaceId: WorkspaceId): Promise<string[] | null> {
  const rows = await queryWithin<{ type: string }>(LIMIT_MS, TYPES, [workspaceId]);
  return rows === null || rows.length > MAX_TYPES ? null : rows.map(({ type }) => type);
}

/** Lists the platform's types, then those of other senders, as the log holds them. */
export const listKnownTypes = async (workspaceId: WorkspaceId): Promise<string[]> => [
  ...new Set<string>([...EVENT_TYPES, ...((await listLogTypes(workspaceId)) ?? [])]),
];

/** Returns the filter with the log's types in place of patterns (`document.*`): each type has its index, a beginning has none. */
export async function withTypesOfLog(workspaceId: WorkspaceId, parsed: ParsedFilter): Promise<ParsedFilter> {
  const { filter, search } = parsed;
  if (![filter, ...search.filters].some(hasPattern)) return parsed;
  const known = await listLogTypes(workspaceId);
  if (known === null) return parsed;
  const resolve = (each: EventFilter) => (hasPattern(each) ? resolved(each, known) : each);
  return { filter: resolve(filter), search: { ...search, filters: search.filters.map(resolve) } };
}

const hasPattern = ({ type }: EventFilter): boolean => type?.some(isTypePattern) === true;

function resolved(filter: EventFilter, known: string[]): EventFilter {
  const types = known.filter((type) => filter.type?.some((asked) => isOfType(asked, type)));
  return types.length > MAX_MERGED ? filter : { ...filter, type: types };
}

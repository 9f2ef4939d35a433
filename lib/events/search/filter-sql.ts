import { CLOCK_TOLERANCE_S } from "#lib/contracts/api/bounds";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import { indexSql, type Range, type SoughtWords, SqlParams, walkSql } from "./candidate-queries.ts";
import { candidatesOf, conditionsOf, narrowestOf } from "./filter-conditions.ts";
import { type ParsedFilter, type SearchQuery, type SoughtTerm, searchesText, tsqueryOf } from "./query.ts";

/** `driver` selects the places of candidates, newest first, from a narrow table; null where the log itself is walked, newest first. */
export type FilterSql = { driver: string | null; where: string[]; bound: SqlParams };

const PERIOD_HOURS = { "1h": 1, "24h": 24, "7d": 168, "30d": 720 } as const;

/** Returns where a filter's period begins and ends; a period that ends now is counted back from `now`. */
export function rangeOf({ from, to, period, occurredFrom }: EventFilter, now: Date): Range {
  const since = period ? new Date(now.getTime() - PERIOD_HOURS[period] * 3_600_000).toISOString() : undefined;
  const received = since === undefined ? from : laterOf(from, since);
  return { from: occurredFrom === undefined ? received : laterOf(received, earliestReceiptOf(occurredFrom)), to };
}

/** An event occurs at most this long after its receipt, by a clock that is ahead (eventSeconds). */
const earliestReceiptOf = (occurred: string) => new Date(Math.max(0, Date.parse(occurred) - CLOCK_TOLERANCE_S * 1000)).toISOString();

const laterOf = (one: string | undefined, other: string) => (one === undefined || Date.parse(one) < Date.parse(other) ? other : one);

type SqlOptions = {
  since?: Date | undefined;
  before?: { at: Date; seq: number } | undefined;
  walk?: boolean;
  lead?: SoughtTerm[] | undefined;
  estimated?: boolean;
};

/**
 * Returns a filter as SQL over `events e` and `sources s`, every value a parameter. `before`: where a page ended. `estimated`: leaves out
 * conditions that only save time. `walk`: searches only the newest events that the narrowest other filter leaves, instead of the index.
 */
export function filterSql(
  workspaceId: WorkspaceId,
  parsed: ParsedFilter,
  now: Date,
  { since, before, walk = false, lead, estimated = false }: SqlOptions = {},
): FilterSql {
  const { filter, search } = parsed;
  const filters = [filter, ...search.filters];
  const range = rangeOf(filter, now);
  const bound = new SqlParams(workspaceId, since ? { ...range, from: laterOf(range.from, since.toISOString()) } : range, before);
  // An estimate has no driver, and PostgreSQL refuses a parameter that no part of a statement has.
  const candidates = searchesText(parsed) || estimated ? null : candidatesOf(filters, bound);
  const driver = searchesText(parsed) ? searchDriver() : (candidates?.sql ?? null);
  // A driver has checked the period and the place already.
  const place = driver === null ? bound.placeOf("e") : [];
  const conditions = filters.flatMap((each) => conditionsOf(each, bound, candidates?.of ?? null, estimated));
  const where = [`e.workspace_id = ${bound.workspace}`, ...place, ...conditions];
  return { driver, where, bound };

  function searchDriver(): string {
    const sought = soughtWords(workspaceId, search, lead);
    return walk ? walkSql(sought, narrowestOf(filters, bound), bound) : indexSql(sought, bound);
  }
}

function soughtWords(workspaceId: WorkspaceId, { terms, word }: SearchQuery, lead = terms): SoughtWords {
  const all = tsqueryOf(workspaceId, terms);
  return { all, lead: lead.length === terms.length ? all : tsqueryOf(workspaceId, lead), word };
}

import type { EventFilter } from "#lib/contracts/events";
import type { WorkspaceId } from "#lib/contracts/ids";
import { Bound, type Range } from "./bound.ts";
import { connectionSql, type Driver, driverOf, issueSql } from "./event-drivers.ts";
import { readSearch } from "./search-query.ts";

/** A filter as SQL. `driver` is null where the log itself is walked, newest first. */
export type FilterSql = { driver: Driver | null; where: string[]; bound: Bound };

const STATUS_SQL = {
  pending: "EXISTS (SELECT 1 FROM inbox i WHERE i.received_at = e.received_at AND i.seq = e.seq)",
  failed: "EXISTS (SELECT 1 FROM dead_letters d WHERE d.received_at = e.received_at AND d.seq = e.seq)",
} as const;
const SETTLED = `NOT ${STATUS_SQL.pending} AND NOT ${STATUS_SQL.failed}`;

const statusSql = (status: NonNullable<EventFilter["status"]>[number]) => {
  if (status === "pending") return STATUS_SQL.pending;
  if (status === "failed") return `(${STATUS_SQL.failed} AND NOT ${STATUS_SQL.pending})`;
  // "NOT e.recognised" to the letter: that is what the partial index is for.
  return `(${SETTLED} AND ${status === "processed" ? "e.recognised" : "NOT e.recognised"})`;
};

const PERIOD_HOURS = { "1h": 1, "24h": 24, "7d": 168, "30d": 720 } as const;

/** Where a filter's period begins and ends; a period that ends now is counted back from `now`. */
export function rangeOf({ from, to, period }: EventFilter, now: Date): Range {
  const since = period ? new Date(now.getTime() - PERIOD_HOURS[period] * 3_600_000).toISOString() : undefined;
  const start = [from, since].filter((at) => at !== undefined).sort((a, b) => Date.parse(b) - Date.parse(a))[0];
  return { from: start, to };
}

/**
 * A filter as SQL over `events e` and `sources s`. Every value is a parameter.
 *
 * @param before only what stands before this place, where a page ended
 * @param walk with a search: looks through the newest events alone, which is quick where the words are frequent
 */
export function filterSql(
  workspaceId: WorkspaceId,
  filter: EventFilter,
  { before, walk = false, now = new Date() }: { before?: { at: Date; seq: number } | undefined; walk?: boolean; now?: Date } = {},
): FilterSql {
  const search = readSearch(filter.q ?? "");
  const filters = [filter, ...search.filters];
  const range = rangeOf(filter, now);
  const bound = new Bound(workspaceId, range, before);
  const driver = driverOf(filters, search, bound, walk);
  const where = [`e.workspace_id = ${bound.workspace}`];
  // A driver has looked at the period and at the place already.
  if (!driver) where.push(...bound.placeOf("e"));
  for (const { type, status, source, duplicates, connection, issue } of filters) {
    if (type) where.push(type.length === 1 ? `e.type = ${bound.bind(type[0])}` : `e.type = ANY(${bound.bind(type)}::text[])`);
    if (status) where.push(`(${status.map(statusSql).join(" OR ")})`);
    if (source) where.push(`s.name = ${bound.bind(source)}`);
    if (duplicates)
      where.push("EXISTS (SELECT 1 FROM event_keys u WHERE u.source_id = e.source_id AND u.event_id = e.event_id AND u.repeats > 0)");
    if (connection && driver?.by !== "connection") where.push(`(e.received_at, e.seq) IN (${connectionSql(connection, bound)})`);
    if (issue && driver?.by !== "issue") where.push(`(e.received_at, e.seq) IN (${issueSql(issue, bound)})`);
  }
  for (const { resource } of filters.filter((each) => each.resource && driver?.by !== each))
    where.push(bound.speaksOf(resource ?? "", "e"));
  return { driver, where, bound };
}

/** True where the search box asks for the payload's words: then time is short. */
export const searchesText = (filter: EventFilter): boolean => filter.q !== undefined && readSearch(filter.q).tsquery !== null;

import type { EventFilter } from "#lib/contracts/events";
import type { Bound } from "./bound.ts";
import type { SearchQuery } from "./search-query.ts";

/**
 * A narrow table that knows the places of the matching events, newest first, so that the log is read for those
 * alone. `by`: the filter whose resource, the connection or the issue that it stands for.
 */
export type Driver = { sql: string; by: EventFilter | "connection" | "issue" | null };

/** How many of the newest events a search looks through before it asks the index. */
export const WALK = 4000;
const NEWEST = "ORDER BY received_at DESC, seq DESC";

/**
 * The narrowest way to what filters ask for; null where walking the log is best.
 *
 * @param walk look through the newest events instead of asking the search's index
 */
export function driverOf(filters: EventFilter[], search: SearchQuery, bound: Bound, walk: boolean): Driver | null {
  const by = filters.find(({ resource }) => resource !== undefined);
  const issue = filters.find((filter) => filter.issue !== undefined)?.issue;
  const connection = filters.find((filter) => filter.connection !== undefined)?.connection;
  // A search with a resource: the resource's events are few, and each says by itself whether it matches.
  if (search.tsquery !== null)
    return { sql: walk ? walkSql(search.tsquery, typesOf(filters), bound) : searchSql(search.tsquery, search.word, bound), by: null };
  if (by?.resource !== undefined) return { sql: resourceSql(by.resource, bound), by };
  if (issue !== undefined) return { sql: issueSql(issue, bound), by: "issue" };
  if (connection !== undefined) return { sql: connectionSql(connection, bound), by: "connection" };
  if (filters.some(({ duplicates }) => duplicates))
    return plain(`SELECT k.received_at, k.seq FROM event_keys k WHERE ${bound.within("k")} AND k.repeats > 0 ${NEWEST}`);
  const status = filters.find((filter) => filter.status?.length === 1)?.status?.[0];
  if (status === "failed") return plain(`SELECT d.received_at, d.seq FROM dead_letters d WHERE ${bound.within("d")} ${NEWEST}`);
  if (status === "pending") return plain(`SELECT DISTINCT i.received_at, i.seq FROM inbox i WHERE ${bound.within("i")} ${NEWEST}`);
  const types = typesOf(filters);
  return types.length > 1 ? plain(typesSql(types, bound)) : null;
}

const typesOf = (filters: EventFilter[]) => filters.find(({ type }) => type !== undefined)?.type ?? [];

const plain = (sql: string): Driver => ({ sql, by: null });

/** Each type's own index, merged. */
function typesSql(types: string[], bound: Bound): string {
  const one = (type: string) =>
    `(SELECT e.received_at, e.seq FROM events e WHERE ${bound.within("e")} AND e.type = ${bound.bind(type)} ORDER BY e.received_at DESC, e.seq DESC)`;
  const each = [...new Set(types)].map(one);
  return `SELECT received_at, seq FROM (${each.join(" UNION ALL ")}) u ${NEWEST}`;
}

/** One id may stand for two kinds: the first of them speaks. */
function resourceSql(resource: string, bound: Bound): string {
  const names = bound.names(resource, "r");
  const first = resource.includes(":")
    ? ""
    : ` AND NOT EXISTS (SELECT 1 FROM event_refs o WHERE o.received_at = r.received_at AND o.seq = r.seq AND o.ref = r.ref AND o.kind < r.kind)`;
  return `SELECT r.received_at, r.seq FROM event_refs r WHERE ${bound.within("r")} AND ${names}${first} ${NEWEST}`;
}

/** The places of what the platform said of a connection: events that name its integration, and those that its history tells of. */
export function connectionSql(connectionId: string, bound: Bound): string {
  const id = bound.bind(connectionId);
  return `SELECT received_at, seq FROM (
      SELECT r.received_at, r.seq FROM connections c JOIN event_refs r ON r.ref = c.integration_id AND r.kind = 'integration'
        WHERE c.workspace_id = ${bound.workspace} AND c.id = ${id} AND ${bound.within("r")}
      UNION SELECT k.received_at, k.seq FROM connection_history h JOIN event_keys k ON k.workspace_id = h.workspace_id AND k.event_id = h.event_id
        WHERE h.workspace_id = ${bound.workspace} AND h.connection_id = ${id} AND ${bound.within("k")}) t ${NEWEST}`;
}

/** The places of the events that ever failed the way that an issue says. */
export const issueSql = (issueId: string, bound: Bound): string =>
  `SELECT i.received_at, i.seq FROM issue_events i WHERE ${bound.within("i")} AND i.issue_id = ${bound.bind(issueId)} ${NEWEST}`;

/** Looks through the newest events, or the newest of some types. */
function walkSql(tsquery: string, types: string[], bound: Bound): string {
  const query = bound.bind(tsquery);
  if (types.length === 0) {
    return `SELECT received_at, seq FROM (SELECT * FROM event_search f WHERE ${bound.within("f")} ${NEWEST} LIMIT ${WALK}) t
      WHERE t.terms @@ ${query}::tsquery ${NEWEST}`;
  }
  return `SELECT t.received_at, t.seq FROM (${typesSql(types, bound)} LIMIT ${WALK}) t CROSS JOIN LATERAL (SELECT 1 FROM event_search f
      WHERE f.workspace_id = ${bound.workspace} AND f.received_at = t.received_at AND f.seq = t.seq AND f.terms @@ ${query}::tsquery OFFSET 0) x
    ORDER BY t.received_at DESC, t.seq DESC`;
}

/** The search's index, and to the letter the ids that the index may not have yet. */
function searchSql(tsquery: string, word: string | null, bound: Bound): string {
  const found = `SELECT f.received_at, f.seq FROM event_search f WHERE f.terms @@ ${bound.bind(tsquery)}::tsquery AND ${bound.within("f")}`;
  if (word === null) return `SELECT received_at, seq FROM (${found} OFFSET 0) t ${NEWEST}`;
  const id = bound.bind(word);
  return `SELECT received_at, seq FROM (${found}
      UNION SELECT k.received_at, k.seq FROM event_keys k WHERE ${bound.within("k")} AND k.event_id = ${id}
      UNION SELECT r.received_at, r.seq FROM event_refs r WHERE ${bound.within("r")} AND r.ref = ${id}) t ${NEWEST}`;
}

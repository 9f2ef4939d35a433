import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import { keyOfSql, waitingPlacesSql } from "#lib/db/sql";

/** Number of the newest events that a search reads before it uses the index. */
export const WALK = 4000;
/** Words are frequent when one in 20 of the newest events has them. */
export const FREQUENT_ONE_IN = 20;
/** A word that may be an ID, which is looked up literally too. */
const MAYBE_ID = /[_\d]/;
const NEWEST = "ORDER BY received_at DESC, seq DESC";

/** Words of the search box as tsqueries: all, and those for the index (findLeadTerms). `word`: the search when it is one word. */
export type SoughtWords = {
  all: string;
  lead: string;
  word: string | null;
};

/** Returns the places of matching events from the index, and of literal IDs that it may not have yet. */
export function indexSql({ all, lead, word }: SoughtWords, bound: SqlParams): string {
  // The index can't answer a denied denial: each event that the lead terms find is checked for the rest.
  const rest = lead === all ? "" : ` AND NOT (f.terms @@ !!${bound.bind(all)}::tsquery)`;
  const found = `SELECT f.received_at, f.seq FROM event_search f WHERE f.terms @@ ${bound.bind(lead)}::tsquery${rest} AND ${bound.within("f")}`;
  if (word === null) return `SELECT received_at, seq FROM (${found} OFFSET 0) t ${NEWEST}`;
  const id = bound.bind(word);
  return `SELECT received_at, seq FROM (${found}
      UNION SELECT k.received_at, k.seq FROM event_keys k WHERE ${bound.within("k")} AND ${keyOfSql("k", bound.workspace)} AND k.event_id = ${id}
      UNION SELECT r.received_at, r.seq FROM event_refs r WHERE ${bound.within("r")} AND r.ref = ${id}) t ${NEWEST}`;
}

export const duplicatesSql = (bound: SqlParams): string =>
  `SELECT k.received_at, k.seq FROM event_keys k WHERE ${bound.within("k")} AND k.repeats > 0 ${NEWEST}`;

/** Returns the places of failed or pending events, which have tables of their own; null for other states. */
export function stateCandidatesSql(states: NonNullable<EventFilter["state"]>, bound: SqlParams): string | null {
  const [state, ...others] = states;
  if (others.length > 0) return null;
  if (state === "failed") return `SELECT d.received_at, d.seq FROM dead_letters d WHERE ${bound.within("d")} ${NEWEST}`;
  if (state === "pending") return pendingSql(bound);
  return null;
}

/** Returns the places of events waiting in the inbox or the log. The outer query adds the workspace, which the log's part lacks. */
const pendingSql = (bound: SqlParams) => `SELECT DISTINCT w.received_at, w.seq FROM (
    SELECT ${bound.workspace} AS workspace_id, p.received_at, p.seq FROM ${waitingPlacesSql(bound.workspace)} p) w
  WHERE ${bound.within("w")} ${NEWEST}`;

/** True for an event that could not be applied at some time; what the platform reports and what a destination did not get have a subject. */
export const everFailedSql = (e: string): string =>
  `EXISTS (SELECT 1 FROM issue_events f WHERE f.received_at = ${e}.received_at AND f.seq = ${e}.seq AND f.subject IS NULL)`;

/** Returns their places, each once: an event that failed in two ways is in two issues. */
export const everFailedPlacesSql = (bound: SqlParams): string =>
  `SELECT i.received_at, i.seq FROM issue_events i WHERE ${bound.within("i")} AND i.subject IS NULL GROUP BY i.received_at, i.seq ${NEWEST}`;

/** Returns the places of events that failed at some time, or are of a type that reports a failure; each once, and newest first. */
export function anyFailurePlacesSql(types: string[], bound: SqlParams): string {
  const reporting = `SELECT t.received_at, t.seq FROM (${typesSql(types, bound)}) t WHERE NOT ${everFailedSql("t")} ${NEWEST}`;
  return `SELECT received_at, seq FROM ((${everFailedPlacesSql(bound)}) UNION ALL (${reporting})) u ${NEWEST}`;
}

export function typesSql(types: string[], bound: SqlParams): string {
  if (types.length === 0) return `SELECT e.received_at, e.seq FROM events e WHERE false`;
  const one = (type: string) =>
    `(SELECT e.received_at, e.seq FROM events e WHERE ${bound.within("e")} AND e.type = ${bound.bind(type)} ORDER BY e.received_at DESC, e.seq DESC)`;
  const each = [...new Set(types)].map(one);
  return `SELECT received_at, seq FROM (${each.join(" UNION ALL ")}) u ${NEWEST}`;
}

/** Returns the places of a resource's events. An ID without a kind may match two kinds: the first of them counts. */
export function resourceSql(resource: string, bound: SqlParams): string {
  const names = bound.names(resource, "r");
  const first = resource.includes(":")
    ? ""
    : ` AND NOT EXISTS (SELECT 1 FROM event_refs o WHERE o.received_at = r.received_at AND o.seq = r.seq AND o.ref = r.ref AND o.kind < r.kind)`;
  return `SELECT r.received_at, r.seq FROM event_refs r WHERE ${bound.within("r")} AND ${names}${first} ${NEWEST}`;
}

export function connectionSql(connectionId: string, bound: SqlParams): string {
  const id = bound.bind(connectionId);
  return `SELECT received_at, seq FROM (
      SELECT r.received_at, r.seq FROM connections c JOIN event_refs r ON r.ref = c.integration_id AND r.kind = 'integration'
        WHERE c.workspace_id = ${bound.workspace} AND c.id = ${id} AND ${bound.within("r")}
      UNION SELECT k.received_at, k.seq FROM connection_history h JOIN event_keys k ON ${keyOfSql("k", bound.workspace)} AND k.event_id = h.event_id
        WHERE h.workspace_id = ${bound.workspace} AND h.connection_id = ${id} AND ${bound.within("k")}) t ${NEWEST}`;
}

export const issueSql = (issueIds: string[], bound: SqlParams): string =>
  issueIds.length === 1
    ? `SELECT i.received_at, i.seq FROM issue_events i WHERE ${bound.within("i")} AND i.issue_id = ${bound.bind(issueIds[0])} ${NEWEST}`
    : `SELECT DISTINCT i.received_at, i.seq FROM issue_events i WHERE ${bound.within("i")} AND i.issue_id = ANY(${bound.bind(issueIds)}::text[]) ${NEWEST}`;

export const newestFiledSql = (bound: SqlParams, limit = WALK): string =>
  `SELECT * FROM event_search f WHERE ${bound.within("f")} ${NEWEST} LIMIT ${limit}`;

/** Returns matching places among the newest events: of all (null), or of those that the narrowest other filter leaves. */
export function walkSql({ all, word }: SoughtWords, narrow: string | null, bound: SqlParams): string {
  const query = `${bound.bind(all)}::tsquery`;
  if (narrow === null) return `SELECT received_at, seq FROM (${newestFiledSql(bound)}) t WHERE t.terms @@ ${query} ${NEWEST}`;
  const at = (alias: string) => `${alias}.received_at = t.received_at AND ${alias}.seq = t.seq`;
  const id = word !== null && MAYBE_ID.test(word) ? bound.bind(word) : null;
  const named =
    id === null
      ? ""
      : ` UNION ALL SELECT 1 FROM event_keys k WHERE ${keyOfSql("k", bound.workspace)} AND k.event_id = ${id} AND ${at("k")}
      UNION ALL SELECT 1 FROM event_refs r WHERE ${at("r")} AND r.ref = ${id}`;
  return `SELECT t.received_at, t.seq FROM (${narrow} LIMIT ${WALK}) t CROSS JOIN LATERAL (
      SELECT 1 FROM event_search f WHERE f.workspace_id = ${bound.workspace} AND ${at("f")} AND f.terms @@ ${query}${named} LIMIT 1) x
    ORDER BY t.received_at DESC, t.seq DESC`;
}

/** A part of the log by time, ISO 8601; an end left out is open. */
export type Range = { from: string | undefined; to: string | undefined };

const KINDS = /^(document|task|pipeline|automation|run|integration):(.+)$/s;

/** Parameters of a statement over the log, and the conditions that every part of it shares: workspace, period, place. */
export class SqlParams {
  readonly values: unknown[] = [];
  readonly workspace: string;
  private readonly place: ((alias: string) => string)[] = [];

  constructor(workspaceId: WorkspaceId, { from, to }: Range, before: { at: Date; seq: number } | undefined) {
    this.workspace = this.bind(workspaceId);
    const compare = (sign: string, value: string) => this.place.push((alias) => `${alias}.received_at ${sign} ${value}::timestamptz`);
    if (from !== undefined) compare(">=", this.bind(from));
    if (to !== undefined) compare("<", this.bind(to));
    if (!before) return;
    const [at, seq] = [this.bind(before.at.toISOString()), this.bind(before.seq)];
    // The first of the two lets the planner pass over whole months.
    compare("<=", at);
    this.place.push((alias) => `(${alias}.received_at, ${alias}.seq) < (${at}::timestamptz, ${seq}::bigint)`);
  }

  bind(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** Returns the conditions of the period, and of the place where the previous page ended. */
  placeOf(alias: string): string[] {
    return this.place.map((condition) => condition(alias));
  }

  within(alias: string): string {
    return [`${alias}.workspace_id = ${this.workspace}`, ...this.placeOf(alias)].join(" AND ");
  }

  /** Returns conditions on `event_refs` for `doc_1` or `document:doc_1`. */
  names(resource: string, alias: string): string {
    const [, kind, id] = KINDS.exec(resource) ?? [];
    const ofKind = kind === undefined ? "" : ` AND ${alias}.kind = ${this.bind(kind)}`;
    return `${alias}.ref = ${this.bind(id ?? resource)}${ofKind}`;
  }

  mentions(resource: string, alias: string): string {
    return `EXISTS (SELECT 1 FROM event_refs n WHERE n.received_at = ${alias}.received_at AND n.seq = ${alias}.seq AND ${this.names(resource, "n")})`;
  }
}

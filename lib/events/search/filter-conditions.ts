import type { EventFilter, EventFilterName } from "#lib/contracts/events/event-filters";
import { receivedFromSql, waitingSql } from "#lib/db/sql";
import { lastArrivalSql } from "#lib/events/source-arrival-store";
import { connectionSql, duplicatesSql, issueSql, resourceSql, type SqlParams, stateCandidatesSql, typesSql } from "./candidate-queries.ts";

/** SQL of one filter, its value of type `T`; over `events e` and `sources s`, every value a parameter. */
type Condition<T> = {
  /** Conditions on an event. `estimated`: only for the planner's estimate of how many match. */
  where: (value: T, bound: SqlParams, estimated: boolean) => string[];
  /** Places of the events that match, newest first, from a narrow table; null where walking the log is best. */
  candidates?: (value: T, bound: SqlParams) => string | null;
  /** True where the candidates match exactly: `where` has nothing to add. */
  exact?: true;
  /** The planner's estimate of the number of matches is good enough to show. */
  estimable?: true;
};

const STATE_SQL = {
  pending: waitingSql("e"),
  failed: "EXISTS (SELECT 1 FROM dead_letters d WHERE d.received_at = e.received_at AND d.seq = e.seq)",
} as const;
const SETTLED = `NOT ${STATE_SQL.pending} AND NOT ${STATE_SQL.failed}`;

const stateSql = (state: NonNullable<EventFilter["state"]>[number]) => {
  if (state === "pending") return STATE_SQL.pending;
  if (state === "failed") return `(${STATE_SQL.failed} AND NOT ${STATE_SQL.pending})`;
  // Exactly "NOT e.recognised", as in the partial index.
  return `(${SETTLED} AND ${state === "processed" ? "e.recognised" : "NOT e.recognised"})`;
};

const atPlacesOf = (sql: string) => [`(e.received_at, e.seq) IN (${sql})`];

/** Every filter, narrowest first: the first with candidates leads. "elsewhere": the period (rangeOf) and the search (parseFilter). */
export const FILTER_CONDITIONS: { [Name in EventFilterName]: Condition<NonNullable<EventFilter[Name]>> | "elsewhere" } = {
  resource: {
    where: (resource, bound) => [bound.mentions(resource, "e")],
    candidates: resourceSql,
    exact: true,
  },
  issue: { where: (issue, bound) => atPlacesOf(issueSql(issue, bound)), candidates: issueSql, exact: true },
  connection: { where: (connection, bound) => atPlacesOf(connectionSql(connection, bound)), candidates: connectionSql, exact: true },
  duplicates: {
    where: () => ["EXISTS (SELECT 1 FROM event_keys u WHERE u.source_id = e.source_id AND u.event_id = e.event_id AND u.repeats > 0)"],
    candidates: (_, bound) => duplicatesSql(bound),
  },
  state: { where: (states) => [`(${states.map(stateSql).join(" OR ")})`], candidates: stateCandidatesSql },
  type: {
    where: (types, bound) => [types.length === 1 ? `e.type = ${bound.bind(types[0])}` : `e.type = ANY(${bound.bind(types)}::text[])`],
    candidates: (types, bound) => (types.length > 1 ? typesSql(types, bound) : null),
    estimable: true,
  },
  source: {
    where: (source, bound, estimated) => {
      const name = bound.bind(source);
      // Events after the source's last arrival need not be read: that saves time, and changes no estimate.
      return [`s.name = ${name}`, ...(estimated ? [] : [`e.received_at <= ${lastArrivalSql(bound.workspace, name)}`])];
    },
    estimable: true,
  },
  ip: { where: (ip, bound) => [receivedFromSql("e.remote_address", ip, (value) => bound.bind(value))] },
  period: "elsewhere",
  from: "elsewhere",
  to: "elsewhere",
  q: "elsewhere",
};

const NAMES = Object.keys(FILTER_CONDITIONS) as EventFilterName[];

export type Candidates = { sql: string; of: { filter: EventFilter; name: EventFilterName } };

export function candidatesOf(filters: readonly EventFilter[], bound: SqlParams): Candidates | null {
  for (const name of NAMES)
    for (const filter of filters) {
      const sql = candidateSql(name, filter, bound);
      if (sql !== null) return { sql, of: { filter, name } };
    }
  return null;
}

/** Returns the narrowest candidates next to a search, one type's own index included; null for the whole log. */
export function narrowestOf(filters: readonly EventFilter[], bound: SqlParams): string | null {
  const types = filters.find(({ type }) => type !== undefined)?.type;
  return candidatesOf(filters, bound)?.sql ?? (types === undefined ? null : typesSql(types, bound));
}

function candidateSql<Name extends EventFilterName>(name: Name, filter: EventFilter, bound: SqlParams): string | null {
  const condition = FILTER_CONDITIONS[name];
  const value = filter[name];
  return condition === "elsewhere" || value === undefined ? null : (condition.candidates?.(value, bound) ?? null);
}

export function conditionsOf(filter: EventFilter, bound: SqlParams, given: Candidates["of"] | null, estimated: boolean): string[] {
  return NAMES.flatMap((name) => {
    const condition = FILTER_CONDITIONS[name];
    const said = given?.filter === filter && given.name === name && condition !== "elsewhere" && condition.exact === true;
    return said ? [] : whereOf(name, filter, bound, estimated);
  });
}

function whereOf<Name extends EventFilterName>(name: Name, filter: EventFilter, bound: SqlParams, estimated: boolean): string[] {
  const condition = FILTER_CONDITIONS[name];
  const value = filter[name];
  return condition === "elsewhere" || value === undefined ? [] : condition.where(value, bound, estimated);
}

/** Returns the filter without its period if the planner can estimate its matches; else null. */
export function estimablePart(filter: EventFilter): EventFilter | null {
  const asked = NAMES.filter((name) => filter[name] !== undefined && !PERIOD.includes(name));
  const all = asked.every((name) => {
    const condition = FILTER_CONDITIONS[name];
    return condition !== "elsewhere" && condition.estimable === true;
  });
  return all ? Object.fromEntries(asked.map((name) => [name, filter[name]])) : null;
}

const PERIOD: EventFilterName[] = ["period", "from", "to"];

import { type EventFilter, type EventFilterName, isTypePattern } from "#lib/contracts/events/event-filters";
import { eventSecondsSql, receivedFromSql, waitingSql } from "#lib/db/sql";
import { lastArrivalSql } from "#lib/events/source-arrival-store";
import { FAILURE_TYPES } from "#lib/platform/event-catalogue";
import {
  anyFailurePlacesSql,
  connectionSql,
  duplicatesSql,
  everFailedPlacesSql,
  everFailedSql,
  issueSql,
  resourceSql,
  type SqlParams,
  stateCandidatesSql,
  typesSql,
} from "./candidate-queries.ts";

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

const EVER_FAILED = everFailedSql("e");
const onlyIf = (asked: boolean, condition: string) => [asked ? condition : `NOT ${condition}`];

/** True for a type that reports a failure, from a source whose events become the platform's records. */
const reportsFailureSql = (bound: SqlParams) =>
  `(e.type = ANY(${bound.bind(FAILURE_TYPES)}::text[])
    AND e.source_id IN (SELECT o.id FROM sources o WHERE o.workspace_id = ${bound.workspace} AND o.records = 'platform'))`;

/** Joins alternatives. Without one nothing is true. */
const anyOf = (any: string[]): string => (any.length === 0 ? "false" : any.length === 1 ? (any[0] ?? "") : `(${any.join(" OR ")})`);

function typeSql(types: string[], bound: SqlParams): string {
  const [exact, patterns] = [types.filter((type) => !isTypePattern(type)), types.filter(isTypePattern)];
  const any = patterns.map((pattern) => `starts_with(e.type, ${bound.bind(pattern.slice(0, -1))})`);
  if (exact.length === 1) any.push(`e.type = ${bound.bind(exact[0])}`);
  if (exact.length > 1) any.push(`e.type = ANY(${bound.bind(exact)}::text[])`);
  return anyOf(any);
}

/** `created` has whole seconds: one is at or after a moment from the next whole second on. */
const secondsOf = (moment: string, bound: SqlParams) => `${bound.bind(Math.ceil(Date.parse(moment) / 1000))}::bigint`;

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
  repaired: {
    where: (asked) => onlyIf(asked, `(${EVER_FAILED} AND ${SETTLED})`),
    candidates: (asked, bound) => (asked ? everFailedPlacesSql(bound) : null),
  },
  everFailed: {
    where: (asked) => onlyIf(asked, EVER_FAILED),
    candidates: (asked, bound) => (asked ? everFailedPlacesSql(bound) : null),
    exact: true,
  },
  anyFailure: {
    where: (asked, bound) => onlyIf(asked, `(${EVER_FAILED} OR ${reportsFailureSql(bound)})`),
    candidates: (asked, bound) => (asked ? anyFailurePlacesSql(FAILURE_TYPES, bound) : null),
  },
  duplicates: {
    where: () => ["EXISTS (SELECT 1 FROM event_keys u WHERE u.source_id = e.source_id AND u.event_id = e.event_id AND u.repeats > 0)"],
    candidates: (_, bound) => duplicatesSql(bound),
  },
  state: { where: (states) => [anyOf(states.map(stateSql))], candidates: stateCandidatesSql },
  reportsFailure: {
    where: (asked, bound) => onlyIf(asked, reportsFailureSql(bound)),
    candidates: (asked, bound) => (asked ? typesSql(FAILURE_TYPES, bound) : null),
    estimable: true,
  },
  type: {
    where: (types, bound) => [typeSql(types, bound)],
    candidates: (types, bound) => (types.length > 1 && !types.some(isTypePattern) ? typesSql(types, bound) : null),
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
  // Received at most a few minutes before (rangeOf): that is where the log is begun to be read.
  occurredFrom: { where: (from, bound) => [`${eventSecondsSql("e")} >= ${secondsOf(from, bound)}`] },
  occurredTo: { where: (to, bound) => [`${eventSecondsSql("e")} < ${secondsOf(to, bound)}`] },
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
  return candidatesOf(filters, bound)?.sql ?? (types === undefined || types.some(isTypePattern) ? null : typesSql(types, bound));
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

import { type Filter, type FilterValue, IP_VALUE, type ValueOf } from "#lib/contracts/api/filters";

/** Without schemas: the event list is drawn before those load. */
export const EVENT_STATES = ["pending", "processed", "failed", "unrecognised"] as const;
export const EVENT_PERIODS = ["1h", "24h", "7d", "30d"] as const;

/** `unknown`: only the server can tell. */
export type Verdict = "yes" | "no" | "unknown";

type LiveEvent = { type: string; source: string; receivedAt: string; resources: { kind: string; id: string }[] };

type Declaration<T> = Filter & {
  matches: (value: T, event: LiveEvent) => Verdict;
  /** The search box takes it as a term: `type:document.error`. */
  term?: true;
};

const declare = <const V extends FilterValue>(declaration: Declaration<ValueOf<V>> & { value: V }) => declaration;

const yesIf = (matches: boolean): Verdict => (matches ? "yes" : "no");
const onlyTheServerKnows = (): Verdict => "unknown";
const isoOf = (moment: string) => new Date(moment).toISOString();

/** A new filter is an entry here and one of the same name in lib/events/search: API, URL, form, live list and exports follow. */
const FILTERS = {
  type: declare({
    value: { kind: "texts", max: 200 },
    label: "Type",
    term: true,
    matches: (types, { type }) => yesIf(types.includes(type)),
  }),
  // An event's state changes while the list is open.
  state: declare({ value: { kind: "choices", values: EVENT_STATES }, label: "State", term: true, matches: onlyTheServerKnows }),
  resource: declare({
    value: { kind: "text", max: 600 },
    label: "Resource ID",
    term: true,
    input: { as: "text", placeholder: "Resource ID, e.g. doc_1" },
    matches: (resource, { resources }) => yesIf(resources.some(({ kind, id }) => resource === id || resource === `${kind}:${id}`)),
  }),
  connection: declare({
    value: { kind: "text", max: 100 },
    label: "Connection",
    input: { as: "select", of: "connections", any: "Any connection" },
    matches: onlyTheServerKnows,
  }),
  source: declare({
    value: { kind: "text", max: 100 },
    label: "Source",
    term: true,
    input: { as: "select", of: "sources", any: "Any source" },
    matches: (name, { source }) => yesIf(name === source),
  }),
  duplicates: declare({
    value: { kind: "choice", values: ["only"] },
    label: "Duplicates only",
    input: { as: "switch", value: "only" },
    matches: onlyTheServerKnows,
  }),
  ip: declare({
    value: IP_VALUE,
    label: "Received from IP",
    input: { as: "text", placeholder: "IP or network, e.g. 192.0.2.0/24" },
    // The feed has no IP addresses.
    matches: onlyTheServerKnows,
  }),
  issue: declare({ value: { kind: "texts", max: 100 }, label: "Issue", matches: onlyTheServerKnows }),
  period: declare({ value: { kind: "choice", values: EVENT_PERIODS }, label: "Period", matches: () => "yes" }),
  /** Text of the payload, IDs, and terms: `type:…`, `state:…`, `source:…`, `resource:…`, `data.status:failed`. */
  q: declare({ value: { kind: "text", max: 200 }, label: "Search", matches: onlyTheServerKnows }),
  from: declare({ value: { kind: "moment" }, label: "From", matches: (from, { receivedAt }) => yesIf(receivedAt >= isoOf(from)) }),
  to: declare({ value: { kind: "moment" }, label: "To", matches: (to, { receivedAt }) => yesIf(receivedAt < isoOf(to)) }),
};

export type EventFilterName = keyof typeof FILTERS;
type Values = { [Name in EventFilterName]: ValueOf<(typeof FILTERS)[Name]["value"]> };
export type EventFilter = { [Name in EventFilterName]?: Values[Name] | undefined };

export const EVENT_FILTERS: { [Name in EventFilterName]: Declaration<Values[Name]> & Pick<(typeof FILTERS)[Name], "value"> } = FILTERS;
export const EVENT_FILTER_NAMES = Object.keys(FILTERS) as EventFilterName[];
export const MORE_FILTERS = EVENT_FILTER_NAMES.filter((name) => EVENT_FILTERS[name].input !== undefined);

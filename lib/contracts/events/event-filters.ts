import { type Filter, type FilterValue, IP_VALUE, type ValueOf } from "#lib/contracts/api/filters";

/** Without schemas: the event list is drawn before those load. */
export const EVENT_STATES = ["pending", "processed", "failed", "unrecognised"] as const;
export const EVENT_PERIODS = ["1h", "24h", "7d", "30d"] as const;
export const EVENT_ORDERS = ["received", "occurred"] as const;
export type EventOrder = (typeof EVENT_ORDERS)[number];

export const orderOf = (text: string | null): EventOrder | undefined => EVENT_ORDERS.find((order) => order === text);

/** No index has the order by occurrence: all that match are sorted, so their number is bounded by time of receipt. */
export const MAX_SORTED_MS = 31 * 86_400_000;

/** Returns the time that a list is ordered and charted by where nothing else is asked for: the one that it is filtered by. */
export function usualOrder({ occurredFrom, to }: Pick<EventFilter, "occurredFrom" | "to">, now: number): EventOrder {
  if (occurredFrom === undefined) return "received";
  const end = to === undefined ? now : Math.min(now, Date.parse(to));
  return end - Date.parse(occurredFrom) <= MAX_SORTED_MS ? "occurred" : "received";
}

export const hasTimeRange = ({ period, from, to, occurredFrom, occurredTo }: EventFilter): boolean =>
  [period, from, to, occurredFrom, occurredTo].some((end) => end !== undefined);

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** True for text in which there is nothing to look for (`***`, an emoji): no event matches. Blank text is no filter. */
export const seeksNothing = ({ q = "" }: Pick<EventFilter, "q">): boolean => q.trim() !== "" && !LETTER_OR_DIGIT.test(q.normalize("NFKC"));

export const SEEKS_NOTHING = "has no letters or digits to search for. Search for a word, an ID or a field, such as data.status:failed";

/** `unknown`: only the server can tell. */
export type Verdict = "yes" | "no" | "unknown";

type LiveEvent = {
  type: string;
  source: string;
  created: string;
  receivedAt: string;
  reportsFailure: boolean;
  resources: { kind: string; id: string }[];
};

type Declaration<T> = Filter & {
  matches: (value: T, event: LiveEvent) => Verdict;
  /** The search box takes it as a term: `type:document.error`. */
  term?: true;
};

const declare = <const V extends FilterValue>(declaration: Declaration<ValueOf<V>> & { value: V }) => declaration;

const yesIf = (matches: boolean): Verdict => (matches ? "yes" : "no");
const onlyTheServerKnows = (): Verdict => "unknown";
const isoOf = (moment: string) => new Date(moment).toISOString();

/** `document.*` stands for all types that begin with `document.`. */
export const isTypePattern = (type: string): boolean => type.endsWith("*");

/** True for the type itself, and for one that a pattern stands for. */
export const isOfType = (asked: string, type: string): boolean =>
  asked === type || (isTypePattern(asked) && type.startsWith(asked.slice(0, -1)));

/** Says which types a selection stands for; nothing chosen is all of them, as `*` is. */
export const typesWords = (types: readonly string[]): string =>
  types.length === 0 || types.includes("*") ? "All types" : types.join(", ");

/** Returns the pattern of the first part: `document.*` of `document.processed`, `orders/*` of `orders/create`. */
export const typePatternOf = (type: string): string | null => {
  const [beginning] = /^[^./:]+[./:]/.exec(type) ?? [];
  return beginning === undefined ? null : `${beginning}*`;
};

/** A new filter is an entry here and one of the same name in lib/events/search: API, URL, form, live list and exports follow. */
const FILTERS = {
  type: declare({
    value: { kind: "texts", max: 200 },
    label: "Type",
    term: true,
    matches: (types, { type }) => yesIf(types.some((asked) => isOfType(asked, type))),
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
  // An event fails, and is repaired, while the list is open.
  anyFailure: declare({
    value: { kind: "flag" },
    label: "Any failure",
    input: { as: "switch", value: true },
    matches: onlyTheServerKnows,
  }),
  everFailed: declare({
    value: { kind: "flag" },
    label: "Failed at some time",
    input: { as: "switch", value: true },
    matches: onlyTheServerKnows,
  }),
  repaired: declare({ value: { kind: "flag" }, label: "Repaired", input: { as: "switch", value: true }, matches: onlyTheServerKnows }),
  reportsFailure: declare({
    value: { kind: "flag" },
    label: "Reports failure",
    input: { as: "switch", value: true },
    matches: (asked, { reportsFailure }) => yesIf(asked === reportsFailure),
  }),
  issue: declare({ value: { kind: "texts", max: 100 }, label: "Issue", matches: onlyTheServerKnows }),
  period: declare({ value: { kind: "choice", values: EVENT_PERIODS }, label: "Period", matches: () => "yes" }),
  /** Text of the payload, IDs, and terms: `type:…`, `state:…`, `source:…`, `resource:…`, `data.status:failed`. */
  q: declare({ value: { kind: "text", max: 200 }, label: "Search", matches: onlyTheServerKnows }),
  from: declare({ value: { kind: "moment" }, label: "From", matches: (from, { receivedAt }) => yesIf(receivedAt >= isoOf(from)) }),
  to: declare({ value: { kind: "moment" }, label: "To", matches: (to, { receivedAt }) => yesIf(receivedAt < isoOf(to)) }),
  occurredFrom: declare({
    value: { kind: "moment" },
    label: "Occurred from",
    matches: (from, { created }) => yesIf(created >= isoOf(from)),
  }),
  occurredTo: declare({ value: { kind: "moment" }, label: "Occurred before", matches: (to, { created }) => yesIf(created < isoOf(to)) }),
};

export type EventFilterName = keyof typeof FILTERS;
type Values = { [Name in EventFilterName]: ValueOf<(typeof FILTERS)[Name]["value"]> };
export type EventFilter = { [Name in EventFilterName]?: Values[Name] | undefined };

export const EVENT_FILTERS: { [Name in EventFilterName]: Declaration<Values[Name]> & Pick<(typeof FILTERS)[Name], "value"> } = FILTERS;
export const EVENT_FILTER_NAMES = Object.keys(FILTERS) as EventFilterName[];
export const MORE_FILTERS = EVENT_FILTER_NAMES.filter((name) => EVENT_FILTERS[name].input !== undefined);

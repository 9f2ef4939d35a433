import { EVENT_PERIODS, EVENT_STATUSES } from "#lib/contracts/event-words";
import type { EventFilter, EventSummary } from "#lib/contracts/events";

/**
 * The filter of the event list as it stands in the address. What an address
 * says wrongly is left out: a mistyped link shows more, never an error.
 */
export function readFilter(params: URLSearchParams): EventFilter {
  const text = (name: string, max: number) => params.get(name)?.trim().slice(0, max) || undefined;
  const time = (name: "from" | "to") => {
    const said = params.get(name);
    return said !== null && isTime(said) ? said : undefined;
  };
  const types = params
    .getAll("type")
    .filter((type) => type !== "" && type.length <= 200)
    .slice(0, 50);
  const status = EVENT_STATUSES.filter((one) => params.getAll("status").includes(one));
  return compact({
    type: types.length > 0 ? types : undefined,
    status: status.length > 0 ? status : undefined,
    source: text("source", 100),
    resource: text("resource", 600),
    issue: text("issue", 100),
    connection: text("connection", 100),
    duplicates: params.get("duplicates") === "only" ? "only" : undefined,
    period: EVENT_PERIODS.find((one) => one === params.get("period")),
    q: text("q", 200),
    from: time("from"),
    to: time("to"),
  });
}

const TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** ISO 8601 with its zone, as the API takes it; a day that the calendar has. */
function isTime(text: string): boolean {
  const day = TIME.exec(text)?.[1];
  return day !== undefined && !Number.isNaN(Date.parse(text)) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

const NAMES = ["source", "resource", "issue", "connection", "duplicates", "period", "q", "from", "to"] as const;

/** The filter as a query, for the address and the API; `extra` is added (`limit`, `cursor`, `event`). */
export function writeFilter(filter: EventFilter, extra: Record<string, string | null | undefined> = {}): URLSearchParams {
  const params = new URLSearchParams();
  for (const type of filter.type ?? []) params.append("type", type);
  for (const status of filter.status ?? []) params.append("status", status);
  for (const name of NAMES) if (filter[name]) params.set(name, filter[name]);
  for (const [name, value] of Object.entries(extra)) if (value) params.set(name, value);
  return params;
}

/** A filter without its empty parts, so that equal filters have equal query keys. */
export function compact(filter: EventFilter): EventFilter {
  return Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0)),
  );
}

export const isEmptyFilter = (filter: EventFilter): boolean => Object.keys(compact(filter)).length === 0;

/**
 * Whether an event of the feed belongs into the list. `unknown` where only the
 * server can tell: the search looks into the payload, and a status changes.
 */
export function matchesFilter(event: EventSummary, filter: EventFilter): "yes" | "no" | "unknown" {
  if (filter.type && !filter.type.includes(event.type)) return "no";
  if (filter.source && filter.source !== event.source) return "no";
  if (filter.to && event.receivedAt >= new Date(filter.to).toISOString()) return "no";
  if (filter.from && event.receivedAt < new Date(filter.from).toISOString()) return "no";
  if (filter.resource && !event.resources.some(({ kind, id }) => filter.resource === id || filter.resource === `${kind}:${id}`))
    return "no";
  return filter.q || filter.status || filter.issue || filter.connection || filter.duplicates ? "unknown" : "yes";
}

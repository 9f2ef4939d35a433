import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { BoardFilter } from "#lib/contracts/board-filters";
import type { ChartRange } from "#lib/contracts/events/event-times";
import type { ViewFilter } from "#lib/contracts/list-filters";
import type { ViewKind, ViewOrder } from "#lib/contracts/views";

/** Every key of the query cache begins with one of these. Invalidating it fetches those queries again. */
export const KEYS = {
  /** Lists of events that follow every change. */
  events: ["events"],
  /** List of the Events page, whose rows must not move under a reader. */
  eventList: ["event-list"],
  event: ["event"],
  eventVolume: ["event-volume"],
  eventFields: ["event-fields"],
  eventValues: ["event-values"],
  eventTypes: ["event-types"],
  destinations: ["destinations"],
  destination: ["destination"],
  deliveries: ["deliveries"],
  operations: ["operations"],
  redeliveries: ["redeliveries"],
  frozenRedelivery: ["redelivery-frozen"],
  issues: ["issues"],
  issue: ["issue"],
  missingEvents: ["missing-events"],
  alerts: ["alerts"],
  quarantine: ["quarantine"],
  quarantined: ["quarantine-entry"],
  connections: ["connections"],
  connection: ["connection"],
  views: ["views"],
  throughput: ["throughput"],
  timelines: ["timelines"],
  counts: ["counts"],
  overview: ["overview"],
  savedFilters: ["saved-filters"],
  settings: ["settings"],
  sandbox: ["sandbox"],
} as const satisfies Record<string, QueryKey>;

/** An applied event may have brought some: destinations' responses have no frame in the feed, but that does. */
export const DELIVERIES_OF_EVENT = [...KEYS.deliveries, "of-event"] as const;

export const invalidate = (queries: QueryClient, ...keys: QueryKey[]): Promise<unknown> =>
  Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));

/** Like `invalidate`, but a running fetch isn't cancelled: it is repeated, because it may have read its data before the change. */
export async function refresh(queries: QueryClient, ...keys: QueryKey[]): Promise<void> {
  const cache = queries.getQueryCache();
  const running = new Set(keys.flatMap((queryKey) => cache.findAll({ queryKey, fetchStatus: "fetching" })));
  await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey }, { cancelRefetch: false })));
  await queries.invalidateQueries({ predicate: (query) => running.has(query) }, { cancelRefetch: false });
}

export const viewKeys = {
  list: (kind: ViewKind, filter: ViewFilter, order: ViewOrder = "desc") => [...KEYS.views, kind, "list", filter, order] as const,
  count: (kind: ViewKind, filter: ViewFilter) => [...KEYS.views, kind, "count", filter] as const,
  one: (kind: ViewKind, id: string, asOf: string | null) => [...KEYS.views, kind, "one", id, asOf] as const,
  moments: (kind: ViewKind, id: string) => [...KEYS.views, kind, "moments", id] as const,
  timeline: (kind: ViewKind, id: string, asOf: string | null, newest: string | null) =>
    [...KEYS.timelines, kind, id, asOf, newest] as const,
  board: (id: string, asOf: string | null, filter: BoardFilter = {}) => [...KEYS.views, "pipeline", "board", id, asOf, filter] as const,
  search: (q: string) => [...KEYS.views, "search", q] as const,
  throughput: (id: string, range: ChartRange) => [...KEYS.throughput, id, range] as const,
};

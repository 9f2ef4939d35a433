import type { InfiniteData } from "@tanstack/react-query";
import type { Page } from "#lib/contracts/api/paging";
import type { EventPage, EventSummary } from "#lib/contracts/events/events";

export type EventPages = InfiniteData<EventPage, string | null>;

/** Two sources may use the same ID. */
export const keyOf = (event: EventSummary): string => `${event.source} ${event.id}`;

export function rowsOf(data: { pages: Page<EventSummary>[] } | undefined): EventSummary[] {
  const rows = new Map<string, EventSummary>();
  for (const page of data?.pages ?? []) for (const event of page.data) if (!rows.has(keyOf(event))) rows.set(keyOf(event), event);
  return [...rows.values()];
}

/** Updates loaded rows without moving any. Same object if nothing changed; `unseen` leaves out events older than the loaded part. */
export function refreshRows(data: EventPages, now: readonly EventSummary[]): { data: EventPages; unseen: EventSummary[] } {
  const fresh = new Map(now.map((event) => [keyOf(event), event]));
  const seen = new Set<string>();
  let changed = false;
  const pages = data.pages.map((page) => ({
    ...page,
    data: page.data.map((event) => {
      const key = keyOf(event);
      seen.add(key);
      const next = fresh.get(key);
      if (!next || JSON.stringify(next) === JSON.stringify(event)) return event;
      changed = true;
      return next;
    }),
  }));
  const last = data.pages.at(-1);
  const oldest = last?.nextCursor == null ? "" : (last.data.at(-1)?.receivedAt ?? "");
  const unseen = now.filter((event) => !seen.has(keyOf(event)) && event.receivedAt > oldest);
  return { data: changed ? { ...data, pages } : data, unseen };
}

/** Removes rows that the newest response should contain but does not: they no longer match. */
export function dropGone(data: EventPages, newest: Page<EventSummary>): EventPages {
  const still = new Set(newest.data.map(keyOf));
  const oldest = newest.nextCursor === null ? "" : (newest.data.at(-1)?.receivedAt ?? "");
  const stays = (event: EventSummary) => still.has(keyOf(event)) || event.receivedAt <= oldest;
  if (rowsOf(data).every(stays)) return data;
  return { ...data, pages: data.pages.map((page) => ({ ...page, data: page.data.filter(stays) })) };
}

export function prependRows(data: EventPages, events: readonly EventSummary[]): EventPages {
  const { data: refreshed, unseen } = refreshRows(data, events);
  const [first, ...rest] = refreshed.pages;
  if (!first || unseen.length === 0) return refreshed;
  return { ...refreshed, pages: [{ ...first, data: newestFirst([...unseen, ...first.data]) }, ...rest] };
}

/** Joins two sets of waiting events; the later version of an event wins. */
export function joinWaiting(waiting: readonly EventSummary[], more: readonly EventSummary[]): EventSummary[] {
  return newestFirst([...new Map([...waiting, ...more].map((event) => [keyOf(event), event])).values()]);
}

const newestFirst = (events: EventSummary[]) =>
  events.sort((a, b) => (a.receivedAt === b.receivedAt ? 0 : a.receivedAt < b.receivedAt ? 1 : -1));

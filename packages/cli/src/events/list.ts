import type { Page } from "../../../../lib/contracts/api/paging.ts";
import { formatNumber } from "../../../../lib/contracts/counts/format-count.ts";
import { backToWords, inPartWords } from "../../../../lib/contracts/counts/search-notes.ts";
import type { EventFilter, EventPage, EventSummary } from "../../../../lib/contracts/events/events.ts";
import type { Api, Query } from "../api/client.ts";
import { unexpectedAnswer } from "../api/explain.ts";
import type { Session } from "../commands/session.ts";
import type { Color } from "../output/color.ts";
import { usageError } from "../output/exit.ts";
import type { Column } from "../output/output.ts";
import { localTime } from "../output/time.ts";

const PAGE = 200;

export async function listEvents({ output, api: open }: Session, filter: EventFilter, limit: string): Promise<void> {
  const most = readLimit(limit);
  let [shown, notes]: [number, (string | null)[]] = [0, []];
  const note = ({ searchedInPart, searchedBackTo }: EventPage) => {
    notes = [
      searchedBackTo ? backToWords(searchedBackTo, localTime(searchedBackTo.at)) : null,
      searchedInPart ? inPartWords(searchedInPart) : null,
    ];
  };
  for await (const page of pagesOf<EventSummary>(open(), "/api/v1/events", filter, most, note)) {
    output.table(page, EVENT_COLUMNS, ({ id }) => id);
    shown += page.length;
  }
  if (shown === 0) output.note("No event matches.");
  if (shown === most) output.note(`Showing the newest ${formatNumber(shown)}. Use --limit to show more.`);
  for (const each of notes) if (each !== null) output.note(each);
}

export async function* pagesOf<T>(
  api: Api,
  path: string,
  query: Query,
  most: number,
  onPage?: (page: Page<T>) => void,
): AsyncGenerator<T[]> {
  const seen = new Set<string | undefined>();
  let cursor: string | undefined;
  for (let left = most; left > 0; ) {
    const page = await api.get<Page<T>>(path, { ...query, limit: Math.min(PAGE, left), cursor });
    if (!Array.isArray(page?.data)) throw unexpectedAnswer(api.url, api.serverVersion());
    onPage?.(page);
    if (page.data.length > 0) yield page.data;
    left -= page.data.length;
    if (page.nextCursor === null) return;
    seen.add(cursor);
    if (seen.has(page.nextCursor)) throw unexpectedAnswer(api.url, api.serverVersion()); // its list goes in a circle
    cursor = page.nextCursor;
  }
}

/** Reads `--limit`; 0 means all. */
export function readLimit(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw usageError(`--limit must be a number, not "${text}".`);
  return Number(text) || Number.POSITIVE_INFINITY;
}

const STATE_COLORS: Record<string, Color> = { failed: "red", pending: "yellow", processed: "green" };

const EVENT_COLUMNS: Column<EventSummary>[] = [
  { title: "RECEIVED", value: ({ receivedAt }) => localTime(receivedAt), color: () => "dim" },
  { title: "STATE", value: ({ state }) => state, color: ({ state }) => STATE_COLORS[state] },
  { title: "TYPE", value: ({ type }) => type },
  { title: "RESOURCE", value: ({ resources }) => (resources[0] ? `${resources[0].kind}:${resources[0].id}` : "") },
  { title: "ID", value: ({ id }) => id },
];

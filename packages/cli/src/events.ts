import type { Page } from "../../../lib/contracts/api/parameters.ts";
import { printable, printableLines } from "../../../lib/contracts/api/plain-text.ts";
import { asSentence } from "../../../lib/contracts/as-sentence.ts";
import type { EventDetail, EventFilter, EventPage, EventSummary, Failure } from "../../../lib/contracts/events/events.ts";
import { backToWords, inPartWords } from "../../../lib/contracts/events/search-notes.ts";
import { writeJson } from "../../../lib/contracts/exact-json.ts";
import { formatNumber } from "../../../lib/contracts/format-count.ts";
import { type Api, type Query, unexpectedAnswer } from "./api-client.ts";
import type { Session } from "./commands/session.ts";
import { usageError } from "./exit.ts";
import type { Color, Column, Paint } from "./terminal.ts";
import { localTime } from "./time.ts";

const PAGE = 200;

export async function listEvents({ output, api: open }: Session, filter: EventFilter & { order?: string }, limit: string): Promise<void> {
  const most = readLimit(limit);
  let [shown, notes]: [number, (string | null)[]] = [0, []];
  const unknown: string[] = [];
  const note = ({ searchedInPart, searchedBackTo, unknown: names = [] }: EventPage) => {
    unknown.push(...names.map(({ message }) => message));
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
  for (const each of [...unknown, ...notes]) if (each !== null) output.note(printable(each));
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
  { title: "WHY", value: ({ failedBecause, reportedMessage, lastFailure }) => failedBecause ?? reportedMessage ?? lastFailure ?? "" },
];

export async function showEvent({ output, api: open, target }: Session, id: string, raw: boolean): Promise<void> {
  const event = await open().get<EventDetail>(`/api/v1/events/${encodeURIComponent(id)}`);
  if (raw) process.stdout.write(bodyOf(event));
  else output.item(event, (paint) => describe(event, target.url, paint), event.id);
}

export const bodyOf = ({ raw, rawBase64 }: { raw: string | null; rawBase64: string | null }): Buffer =>
  raw === null ? Buffer.from(rawBase64 ?? "", "base64") : Buffer.from(raw, "utf8");

function describe(event: EventDetail, url: string, paint: Paint): string {
  const facts: [string, string][] = [
    ["Event", event.id],
    ["Type", `${event.type} (${event.title})`],
    ["State", event.failure ? `${event.state}: ${sentences(event.failure)}` : event.state],
    ["Source", event.source],
    ["Created", localTime(event.created)],
    ["Received", `${localTime(event.receivedAt)}${event.repeats > 0 ? `, and ${event.repeats} times more` : ""}`],
    ["Resources", event.resources.map(({ kind, id }) => `${kind}:${id}`).join(", ")],
    ["Page", `${url}/events/${encodeURIComponent(event.id)}`],
  ];
  const effects = event.effects.map(
    ({ kind, resourceId, field, value, verdict }) => `${kind}:${resourceId} ${field} = ${writeJson(value)} (${verdict.replace("_", " ")})`,
  );
  const attempts = event.attempts.map(
    ({ number, at, outcome, failureText }) => `${number}. ${localTime(at)} ${outcome}${failureText ? `: ${failureText}` : ""}`,
  );
  return [
    ...facts.filter(([, value]) => value !== "").map(([label, value]) => `${paint("dim", label.padEnd(11))}${printable(value)}`),
    ...section("Effects", effects, paint),
    ...section("Attempts", attempts, paint),
    "",
    paint("bold", "Payload"),
    printableLines(event.envelope === null ? (event.raw ?? `${event.bytes} bytes, not UTF-8`) : writeJson(event.envelope, 2)),
  ].join("\n");
}

export const sentences = ({ what, why, fix }: Failure): string => [what, why, fix].map(asSentence).join(" ");

const section = (title: string, lines: string[], paint: Paint): string[] =>
  lines.length === 0 ? [] : ["", paint("bold", title), ...lines.map((line) => `  ${printable(line)}`)];

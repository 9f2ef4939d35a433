import type { EventDetail, EventFilter, EventSummary } from "../../../../lib/contracts/events/events.ts";
import type { Api } from "../api/client.ts";
import type { Webhook } from "../deliver/webhook.ts";
import { CliError } from "../output/exit.ts";

export type StoredWebhook = Webhook & { type: string };

/** Bodies are held in memory until they are sent, since the log returns the newest first. Bytes. */
const MAX_BYTES = 256 * 1_048_576;
/** Most characters of a line: an event of 64 MB takes up to six for each of its own as JSON. */
const MAX_LINE = 400 * 1_048_576;

export async function readByIds(api: Api, ids: string[]): Promise<StoredWebhook[]> {
  const events: StoredWebhook[] = [];
  for (const id of ids) events.push(storedOf(await api.get<EventDetail>(`/api/v1/events/${encodeURIComponent(id)}`)));
  return events;
}

/** Returns the newest matching events, oldest first. */
export async function readByFilter(api: Api, filter: EventFilter, limit: number): Promise<StoredWebhook[]> {
  const response = await api.open("/api/v1/events/export", { ...filter, format: "ndjson" }, {});
  const events: StoredWebhook[] = [];
  let bytes = 0;
  for await (const text of linesOf(response)) {
    const line = JSON.parse(text) as EventSummary & Webhook;
    bytes += line.bytes;
    if (bytes > MAX_BYTES)
      throw new CliError("These events are larger than 256 MB in total.", { hint: "Replay them in parts: --limit, --after and --before." });
    events.push(storedOf(line));
    if (events.length >= limit) break;
  }
  return events.reverse();
}

/** Yields the lines of a response; stopping early ends it. */
async function* linesOf({ body }: Response): AsyncGenerator<string> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > MAX_LINE) throw new CliError("The server's answer has a line that does not end.");
      yield* lines.filter((line) => line !== "");
      if (done) break;
    }
    if (rest !== "") yield rest;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

const storedOf = ({ id, type, headers, raw, rawBase64 }: Omit<StoredWebhook, "redeliveryId">): StoredWebhook => ({
  id,
  type,
  headers,
  raw,
  rawBase64,
  redeliveryId: null,
});

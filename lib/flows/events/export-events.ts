import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import { type ExportedEvent, listForExport } from "#lib/events/event-store";
import { findBodies, slicesOf } from "#lib/events/log/body-store";
import { withWholeReach } from "#lib/events/search/reach-store";
import { type ExportColumns, type ExportFormat, exportText } from "#lib/http/export/export-file";
import { shownHeaders } from "#lib/vault/sealed-headers";
import { rawOf } from "./read-event.ts";

const PAGE = 200;

type Row = { event: ExportedEvent; body: ReturnType<typeof rawOf> };

/** `raw` is the signed body to the letter (`rawBase64` where it is not UTF-8), so that its signature still verifies. */
const COLUMNS: ExportColumns<Row> = {
  json: ({ event: { summary, signatureForm, headers }, body }) => ({ ...summary, signatureForm, headers: shownHeaders(headers), ...body }),
  csv: [
    ["id", ({ event }) => event.summary.id],
    ["type", ({ event }) => event.summary.type],
    ["source", ({ event }) => event.summary.source],
    ["state", ({ event }) => event.summary.state],
    ["created", ({ event }) => event.summary.created],
    ["received_at", ({ event }) => event.summary.receivedAt],
    ["resources", ({ event }) => event.summary.resources.map(({ kind, id }) => `${kind}:${id}`).join(" ")],
    ["repeats", ({ event }) => event.summary.repeats],
    ["conflicts", ({ event }) => event.summary.conflicts],
    ["bytes", ({ event }) => event.summary.bytes],
    ["body", ({ body }) => body.raw ?? body.rawBase64 ?? ""],
  ],
};

/** Streams matching events, newest first, a bounded part at a time, so memory stays the same for any size. Later arrivals are left out. */
export const exportEvents = (
  workspaceId: WorkspaceId,
  filter: EventFilter,
  format: ExportFormat,
  now: Date,
  watch: (parts: AsyncIterable<Row[]>) => AsyncIterable<Row[]> = (parts) => parts,
): AsyncGenerator<string> => exportText(format, COLUMNS, watch(readParts(workspaceId, filter, now)));

async function* readParts(workspaceId: WorkspaceId, filter: EventFilter, now: Date): AsyncGenerator<Row[]> {
  const frozen = filter.to !== undefined && Date.parse(filter.to) < now.getTime() ? filter : { ...filter, to: now.toISOString() };
  let cursor: string | undefined;
  do {
    const page = await withWholeReach(workspaceId, frozen, now, () => listForExport(workspaceId, frozen, { limit: PAGE, cursor, now }));
    for (const slice of slicesOf(page.data)) yield await withBodies(slice);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** Reads bodies a few megabytes at a time; events that have left the log meanwhile are left out. */
async function withBodies(events: ExportedEvent[]): Promise<Row[]> {
  const bodies = await findBodies(events);
  return events.flatMap((event) => {
    const body = bodies.get(event.seq);
    return body ? [{ event, body: rawOf(body) }] : [];
  });
}

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

/** In NDJSON, `raw` is the body that was signed, to the letter (`rawBase64` where it is no UTF-8), so that its signature still verifies. */
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

/**
 * All that match, newest first, as text, a part of the log at a time, bounded in bytes: the next is read when the one
 * before was taken, so it costs the same memory for ten events as for ten million. What comes in meanwhile is left out.
 *
 * @param watch sees the parts pass by
 */
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

/** Bodies may be large: they are read a few megabytes at a time. What has left the log meanwhile is left out. */
async function withBodies(events: ExportedEvent[]): Promise<Row[]> {
  const bodies = await findBodies(events);
  return events.flatMap((event) => {
    const body = bodies.get(event.seq);
    return body ? [{ event, body: rawOf(body) }] : [];
  });
}

import type { EventFilter } from "#lib/contracts/events";
import type { WorkspaceId } from "#lib/contracts/ids";
import { type ExportedEvent, listForExport } from "#lib/events/event-store";
import { rawOf } from "./read-event.ts";

export type ExportFormat = "ndjson" | "csv";

/** Bodies of up to 1 MB come with every row: a page of them stays small. */
const PAGE = 100;

const COLUMNS = ["id", "type", "source", "status", "created", "received_at", "resources", "repeats", "conflicts", "bytes", "body"];

/**
 * All that match, newest first, as text, a page of the log at a time: the next page is read when the one before
 * was taken, so it costs the same memory for ten events as for ten million. What comes in meanwhile is left out.
 */
export async function* exportEvents(
  workspaceId: WorkspaceId,
  filter: EventFilter,
  format: ExportFormat,
  now = new Date(),
): AsyncGenerator<string> {
  if (format === "csv") yield `${COLUMNS.join(",")}\r\n`;
  const write = format === "csv" ? csvLine : ndjsonLine;
  const frozen = filter.to !== undefined && Date.parse(filter.to) < now.getTime() ? filter : { ...filter, to: now.toISOString() };
  let cursor: string | undefined;
  do {
    const page = await listForExport(workspaceId, frozen, { limit: PAGE, cursor });
    if (page.data.length > 0) yield page.data.map(write).join("");
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** One event a line; `raw` is the body to the letter (`rawBase64` where it is no UTF-8), so that its signature still verifies. */
function ndjsonLine({ summary, body, headers, signatureForm }: ExportedEvent): string {
  return `${JSON.stringify({ ...summary, signatureForm, headers, ...rawOf(body) })}\n`;
}

function csvLine({ summary, body }: ExportedEvent): string {
  const { raw, rawBase64 } = rawOf(body);
  const { id, type, source, status, created, receivedAt, repeats, conflicts, bytes } = summary;
  const resources = summary.resources.map((resource) => `${resource.kind}:${resource.id}`).join(" ");
  return `${[id, type, source, status, created, receivedAt, resources, repeats, conflicts, bytes, raw ?? rawBase64 ?? ""].map(csvCell).join(",")}\r\n`;
}

/** RFC 4180; a cell that a spreadsheet would take for a formula gets an apostrophe in front. */
function csvCell(value: string | number): string {
  const text = String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

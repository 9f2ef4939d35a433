import { exportQuery } from "#lib/contracts/events";
import { exportEvents } from "#lib/flows/export-events";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";
import { textStream } from "#lib/http/text-stream";

const TYPES = { ndjson: "application/x-ndjson; charset=utf-8", csv: "text/csv; charset=utf-8; header=present" };

/** What matches a filter, newest first, streamed. */
export const GET = defineRoute({
  operation: "events.read",
  summary: "Export events (NDJSON or CSV)",
  description: "Streamed, newest first; what comes in meanwhile is left out. A line's `raw` is the body to the letter.",
  answers: { 200: { mediaType: "application/x-ndjson" } },
  example: { query: { type: "document.processed", format: "ndjson" } },
  query: exportQuery,
  handle: ({ actor, query: { format, ...filter }, receivedAt }) =>
    textStream(exportEvents(actor.workspaceId, filter, format, receivedAt), {
      type: TYPES[format],
      fileName: `signalbox-events-${receivedAt.toISOString().slice(0, 19).replaceAll(/[:T]/g, "-")}.${format}`,
    }),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

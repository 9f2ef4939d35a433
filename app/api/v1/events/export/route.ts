import { defineRoute } from "#lib/api/define-route";
import { inHeavyTurns } from "#lib/api/request-limits";
import { exportQuery } from "#lib/contracts/events/events";
import { exportEvents } from "#lib/flows/events/export-events";
import { exportFileName, exportResponse } from "#lib/http/streamed-answer";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  summary: "Export events (NDJSON or CSV)",
  description: "Streamed, newest first; events received meanwhile are left out. `raw` on each line is the exact body, as it was signed.",
  problems: ["search_incomplete", "search_too_slow"],
  answers: { 200: { mediaType: "application/x-ndjson" } },
  example: { query: { type: "document.processed", format: "ndjson" } },
  query: exportQuery,
  handle: ({ actor, query: { format, ...filter }, receivedAt }) =>
    exportResponse(
      inHeavyTurns(actor, exportEvents(actor.workspaceId, filter, format, receivedAt)),
      format,
      exportFileName("events", receivedAt),
    ),
});

import { defineRoute } from "#lib/api/define-route";
import { inHeavyTurns, inTurn } from "#lib/api/request-limits";
import { idParams } from "#lib/contracts/api/ids";
import { downloadExport } from "#lib/flows/events/export-events";
import { exportFileName, exportResponse } from "#lib/http/streamed-answer";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  summary: "Download a prepared export (NDJSON or CSV)",
  params: idParams,
  problems: ["search_incomplete", "search_too_slow"],
  answers: { 200: { mediaType: "application/x-ndjson" } },
  example: { params: { id: "exp_example" } },
  handle: async ({ actor, params, receivedAt, request }) => {
    // Begun in a turn, so that a caller who gets 429 can ask again.
    const begin = () => downloadExport(actor.workspaceId, params.id, receivedAt);
    const { format, pieces } = await inTurn(actor, "heavy", begin, request.signal);
    return exportResponse(inHeavyTurns(actor, pieces, true), format, exportFileName("events", receivedAt));
  },
});

import { defineRoute } from "#lib/api/define-route";
import { otherMethods } from "#lib/api/other-methods";
import { inHeavyTurns } from "#lib/api/request-turns";
import { idParams } from "#lib/contracts/api/ids";
import { downloadExport } from "#lib/flows/events/watched-export";
import { exportFileName, exportResponse } from "#lib/http/export/export-file";

/** The file of an export that was prepared, once, streamed. */
export const GET = defineRoute({
  operation: "events.read",
  summary: "Download a prepared export (NDJSON or CSV)",
  params: idParams,
  answers: { 200: { mediaType: "application/x-ndjson" } },
  example: { params: { id: "exp_example" } },
  handle: async ({ actor, params, receivedAt }) => {
    const { format, pieces } = await downloadExport(actor.workspaceId, params.id, receivedAt);
    return exportResponse(inHeavyTurns(actor, pieces), format, exportFileName("events", receivedAt));
  },
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

import { defineRoute } from "#lib/api/define-route";
import { expectFound } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { quarantineDetail } from "#lib/contracts/quarantine";
import { readQuarantined } from "#lib/flows/quarantine/quarantine";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "quarantine.read",
  summary: "Read a quarantined request",
  params: idParams,
  answers: { 200: quarantineDetail },
  example: { params: { id: "qua_example" } },
  handle: ({ actor, params }) => expectFound(readQuarantined(actor.workspaceId, params.id, new Date()), "quarantined request with that ID"),
});

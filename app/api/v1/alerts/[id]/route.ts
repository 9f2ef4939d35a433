import { defineRoute } from "#lib/api/define-route";
import { alert } from "#lib/contracts/alerts";
import { idParams } from "#lib/contracts/api/ids";
import { getAlert } from "#lib/flows/alerts/read-alerts";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "alerts.read",
  summary: "Read an alert",
  params: idParams,
  answers: { 200: alert },
  example: { params: { id: "alr_example" } },
  handle: ({ actor, params }) => getAlert(actor.workspaceId, params.id),
});

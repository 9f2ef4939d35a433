import { defineRoute } from "#lib/api/define-route";
import { alertChannel, changeAlertChannelBody, deletedAlertChannel } from "#lib/contracts/alerts";
import { idParams } from "#lib/contracts/api/ids";
import { changeAlertChannel, deleteAlertChannel } from "#lib/flows/alerts/manage-channels";
import { getAlertChannel, shownChannel } from "#lib/flows/alerts/read-alerts";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "alerts.read",
  summary: "Read an alert channel",
  params: idParams,
  answers: { 200: alertChannel },
  example: { params: { id: "alc_example" } },
  handle: async ({ actor, params }) => shownChannel(actor, await getAlertChannel(actor.workspaceId, params.id)),
})
  .and("PATCH", {
    operation: "alerts.manage",
    summary: "Change an alert channel",
    params: idParams,
    body: changeAlertChannelBody,
    answers: { 200: alertChannel },
    example: { params: { id: "alc_example" }, body: { rules: ["no_worker", "vault_key"] } },
    handle: ({ context, params, body }) => changeAlertChannel(context, params.id, body),
  })
  .and("DELETE", {
    operation: "alerts.manage",
    summary: "Delete an alert channel and cancel its pending messages",
    params: idParams,
    answers: { 200: deletedAlertChannel },
    example: { params: { id: "alc_example" } },
    handle: ({ context, params }) => deleteAlertChannel(context, params.id),
  });

import { defineRoute } from "#lib/api/define-route";
import { alertChannelTest } from "#lib/contracts/alerts";
import { idParams } from "#lib/contracts/api/ids";
import { testAlertChannel } from "#lib/flows/alerts/manage-channels";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "alerts.manage",
  summary: "Send a test message over an alert channel",
  description: "Sent like an alert, with one attempt. The response says whether it arrived, and if not, why.",
  params: idParams,
  answers: { 200: alertChannelTest },
  example: { params: { id: "alc_example" } },
  handle: ({ context, params }) => testAlertChannel(context, params.id),
});

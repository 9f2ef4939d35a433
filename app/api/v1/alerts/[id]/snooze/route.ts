import { defineRoute } from "#lib/api/define-route";
import { snoozeBody, snoozed } from "#lib/contracts/alerts";
import { idParams } from "#lib/contracts/api/ids";
import { snoozeAlert } from "#lib/flows/alerts/manage-rules";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "alerts.manage",
  summary: "Snooze the subject of an alert, or end its snooze",
  params: idParams,
  body: snoozeBody,
  answers: { 200: snoozed },
  example: { params: { id: "alr_example" }, body: { for: "1h" } },
  handle: ({ context, params, body }) => snoozeAlert(context, params.id, body.for),
});

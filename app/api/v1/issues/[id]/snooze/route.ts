import { defineRoute } from "#lib/api/define-route";
import { snoozeBody, snoozed } from "#lib/contracts/alerts";
import { idParams } from "#lib/contracts/api/ids";
import { readIssueSnooze, snoozeIssue } from "#lib/flows/alerts/manage-rules";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "alerts.read",
  summary: "Read whether an issue's alerts are snoozed",
  params: idParams,
  answers: { 200: snoozed },
  example: { params: { id: "iss_example" } },
  handle: ({ actor, params, receivedAt }) => readIssueSnooze(actor.workspaceId, params.id, receivedAt),
}).and("POST", {
  operation: "alerts.manage",
  summary: "Snooze the alerts of an issue, or end their snooze",
  params: idParams,
  body: snoozeBody,
  answers: { 200: snoozed },
  example: { params: { id: "iss_example" }, body: { for: "recurrence" } },
  handle: ({ context, params, body }) => snoozeIssue(context, params.id, body.for),
});

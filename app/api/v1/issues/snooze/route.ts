import { defineRoute } from "#lib/api/define-route";
import { issuesChanged, issuesSnoozeBody } from "#lib/contracts/issues";
import { snoozeIssues } from "#lib/flows/alerts/manage-rules";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "alerts.manage",
  summary: "Snooze the alerts of several issues, or end their snooze",
  body: issuesSnoozeBody,
  answers: { 200: issuesChanged },
  example: { body: { ids: ["iss_example"], for: "1h" } },
  handle: ({ context, body }) => snoozeIssues(context, body.ids, body.for),
});

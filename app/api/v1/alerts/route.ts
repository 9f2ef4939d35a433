import { defineRoute } from "#lib/api/define-route";
import { alertPage, alertQuery } from "#lib/contracts/alerts";
import { readAlerts } from "#lib/flows/alerts/read-alerts";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "alerts.read",
  summary: "List alerts and their notifications",
  query: alertQuery,
  answers: { 200: alertPage },
  example: { query: { state: "open" } },
  handle: ({ actor, query: { limit, cursor, ...filter } }) => readAlerts(actor.workspaceId, filter, { limit, cursor }),
});

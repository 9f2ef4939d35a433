import { defineRoute } from "#lib/api/define-route";
import { alertRuleList } from "#lib/contracts/alerts";
import { readAlertRules } from "#lib/flows/alerts/read-alerts";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "alerts.read",
  summary: "List alert rules",
  answers: { 200: alertRuleList },
  example: {},
  handle: async ({ actor }) => ({ data: await readAlertRules(actor.workspaceId), nextCursor: null }),
});

import { defineRoute, otherMethods } from "#lib/api/define-route";
import { alertRuleList } from "#lib/contracts/alerts";
import { readAlertRules } from "#lib/flows/alerts/read-alerts";

export const GET = defineRoute({
  operation: "alerts.read",
  summary: "List alert rules",
  answers: { 200: alertRuleList },
  example: {},
  handle: async ({ actor }) => ({ data: await readAlertRules(actor.workspaceId), nextCursor: null }),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

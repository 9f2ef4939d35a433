import { defineRoute } from "#lib/api/define-route";
import { missingEventRules } from "#lib/contracts/missing-events";
import { readRules } from "#lib/flows/missing-events/manage-missing-events";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "missing_events.read",
  summary: "Count missing events by rule",
  answers: { 200: missingEventRules },
  example: {},
  handle: ({ actor }) => readRules(actor.workspaceId),
});

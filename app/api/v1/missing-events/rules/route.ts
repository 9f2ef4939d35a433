import { defineRoute, otherMethods } from "#lib/api/define-route";
import { missingEventRules } from "#lib/contracts/missing-events";
import { readRules } from "#lib/flows/missing-events/manage-missing-events";

export const GET = defineRoute({
  operation: "missing_events.read",
  summary: "Count missing events by rule",
  answers: { 200: missingEventRules },
  example: {},
  handle: ({ actor }) => readRules(actor.workspaceId),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

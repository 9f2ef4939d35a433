import { defineRoute } from "#lib/api/define-route";
import { otherMethods } from "#lib/api/other-methods";
import { missingEventRules } from "#lib/contracts/missing-events";
import { readRules } from "#lib/flows/missing-events/read-rules";

export const GET = defineRoute({
  operation: "missing_events.read",
  summary: "Count missing events by rule",
  answers: { 200: missingEventRules },
  example: {},
  handle: ({ actor }) => readRules(actor.workspaceId),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

import { defineRoute } from "#lib/api/define-route";
import { otherMethods } from "#lib/api/other-methods";
import { changes } from "#lib/contracts/overview";
import { readChanges } from "#lib/flows/overview/read-changes";

export const GET = defineRoute({
  operation: "overview.read",
  summary: "Read what changed since the last visit",
  answers: { 200: changes },
  example: {},
  handle: ({ actor }) => readChanges(actor),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

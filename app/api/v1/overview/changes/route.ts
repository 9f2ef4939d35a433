import { changes } from "#lib/contracts/overview";
import { readChanges } from "#lib/flows/read-changes";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** What is new since the person's last visit. */
export const GET = defineRoute({
  operation: "overview.read",
  summary: "Read what changed since the last visit",
  answers: { 200: changes },
  example: {},
  handle: ({ actor }) => readChanges(actor),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

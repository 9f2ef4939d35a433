import { defineRoute } from "#lib/api/define-route";
import { otherMethods } from "#lib/api/other-methods";
import { missingEventRestorationBody, missingEventsRestored } from "#lib/contracts/missing-events";
import { restoreMatching } from "#lib/flows/missing-events/set-aside";

export const POST = defineRoute({
  operation: "missing_events.dismiss",
  summary: "Open dismissed or snoozed missing events again",
  answers: { 200: missingEventsRestored },
  example: { body: { filter: { ids: ["fnd_example"] } } },
  body: missingEventRestorationBody,
  handle: ({ actor, audit, body }) => restoreMatching(actor, body.filter, audit),
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ POST });

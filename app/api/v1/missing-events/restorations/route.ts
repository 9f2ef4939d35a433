import { defineRoute } from "#lib/api/define-route";
import { missingEventRestorationBody, missingEventsRestored } from "#lib/contracts/missing-events";
import { restoreMatching } from "#lib/flows/missing-events/manage-missing-events";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "missing_events.dismiss",
  summary: "Open dismissed or snoozed missing events again",
  answers: { 200: missingEventsRestored },
  example: { body: { filter: { ids: ["fnd_example"] } } },
  body: missingEventRestorationBody,
  handle: ({ context, body }) => restoreMatching(context, body.filter),
});

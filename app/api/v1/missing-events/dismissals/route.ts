import { defineRoute } from "#lib/api/define-route";
import { missingEventDismissalBody, missingEventsSetAside } from "#lib/contracts/missing-events";
import { dismissMatching } from "#lib/flows/missing-events/manage-missing-events";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "missing_events.dismiss",
  summary: "Dismiss missing events",
  description:
    "They stay dismissed until the missing event arrives. `POST /missing-events/restorations` with the returned `dismissal` undoes this.",
  answers: { 200: missingEventsSetAside },
  example: { body: { filter: { rule: "processed_never_uploaded" } } },
  body: missingEventDismissalBody,
  handle: ({ context, body }) => dismissMatching(context, body.filter),
});

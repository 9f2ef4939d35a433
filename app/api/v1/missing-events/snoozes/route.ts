import { defineRoute } from "#lib/api/define-route";
import { missingEventSnoozeBody, missingEventsSetAside } from "#lib/contracts/missing-events";
import { snoozeMatching } from "#lib/flows/missing-events/manage-missing-events";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "missing_events.dismiss",
  summary: "Snooze missing events",
  description:
    "For an hour (`1h`), a day (`1d`), or until a new event triggers the same rule again (`recurrence`). `POST /missing-events/restorations` with the returned `dismissal` undoes this.",
  answers: { 200: missingEventsSetAside },
  example: { body: { filter: { rule: "processed_never_uploaded" }, for: "1d" } },
  body: missingEventSnoozeBody,
  handle: ({ context, body }) => snoozeMatching(context, body.filter, body.for),
});

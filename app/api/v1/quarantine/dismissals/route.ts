import { defineRoute } from "#lib/api/define-route";
import { dismissalBody, dismissalResult } from "#lib/contracts/quarantine";
import { dismissQuarantined } from "#lib/flows/quarantine/quarantine";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "quarantine.dismiss",
  summary: "Dismiss quarantined requests",
  description: "They stay stored and can still be released. `POST /quarantine/restorations` with the returned `dismissal` undoes this.",
  answers: { 200: dismissalResult },
  example: { body: { filter: { ids: ["qua_example"] } } },
  body: dismissalBody,
  handle: ({ context, body }) => dismissQuarantined(context, body.filter),
});

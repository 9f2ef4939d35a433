import { defineRoute } from "#lib/api/define-route";
import { outageDismissal } from "#lib/contracts/outages";
import { dismissOutages } from "#lib/flows/outages/outages";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "outages.dismiss",
  summary: "Dismiss outages",
  description: "Outages that ended by then are no longer shown on the overview.",
  body: outageDismissal,
  answers: { 204: null },
  example: { body: { until: "2026-01-01T00:00:00Z" } },
  handle: ({ context, body }) => dismissOutages(context, new Date(body.until)),
});

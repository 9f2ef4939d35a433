import { defineRoute } from "#lib/api/define-route";
import { changes } from "#lib/contracts/overview";
import { readChanges } from "#lib/flows/overview/read-counts";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "overview.read",
  summary: "Read what changed since the last visit",
  answers: { 200: changes },
  example: {},
  handle: ({ actor }) => readChanges(actor),
});

import { defineRoute } from "#lib/api/define-route";
import { filterPreview, filterPreviewBody } from "#lib/contracts/forwarding/destinations";
import { previewFilter } from "#lib/flows/forwarding/test-destination";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "destinations.manage",
  cost: "heavy",
  summary: "Preview which events a destination would receive",
  description: "Applies the settings to the newest 1,000 events. Changes nothing.",
  body: filterPreviewBody,
  exactFields: ["filter"],
  answers: { 200: filterPreview },
  example: { body: { types: ["document.processed"], filter: { data: { status: { $in: ["completed", "done"] } } } } },
  changes: "nothing",
  handle: ({ actor, body, receivedAt }) => previewFilter(actor.workspaceId, body, receivedAt),
});

import { defineRoute } from "#lib/api/define-route";
import { exportBody } from "#lib/contracts/events/events";
import { operation } from "#lib/contracts/operations";
import { requestExport } from "#lib/flows/events/export-events";

/** Unlike `/events/export`, it can be watched and stopped while it is downloaded. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "events.read",
  summary: "Prepare an export whose progress can be watched",
  description: "Download it once from `/events/exports/{id}` within ten minutes; `/operations/{id}` reports its progress.",
  answers: { 201: operation },
  example: { body: { filter: { type: ["document.processed"] }, format: "ndjson" } },
  body: exportBody,
  handle: ({ context, body }) => requestExport(context, body),
});

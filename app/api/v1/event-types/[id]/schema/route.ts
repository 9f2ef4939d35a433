import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { schemaExportQuery } from "#lib/contracts/event-types";
import { exportSchema } from "#lib/flows/event-types/export-schemas";
import { savedText } from "#lib/http/streamed-answer";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  cost: "heavy",
  summary: "Write an event type's schema",
  description: "As JSON Schema (2020-12), TypeScript or Zod: as observed, as pinned, or a version. Code is answered as `text/plain`.",
  params: idParams,
  query: schemaExportQuery,
  answers: { 200: { mediaType: "application/schema+json" } },
  example: { params: { id: "ety_example" }, query: { format: "json-schema" } },
  handle: async ({ actor, params, query }) => savedText(await exportSchema(actor.workspaceId, params.id, query)),
});

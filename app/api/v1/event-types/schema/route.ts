import { defineRoute } from "#lib/api/define-route";
import { schemasExportQuery } from "#lib/contracts/event-types";
import { exportSchemas } from "#lib/flows/event-types/export-schemas";
import { savedText } from "#lib/http/streamed-answer";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  cost: "heavy",
  summary: "Write the schemas of all event types",
  description: "As JSON Schema (2020-12, all in `$defs`), TypeScript or Zod: those observed or those pinned, of one source or of all.",
  query: schemasExportQuery,
  answers: { 200: { mediaType: "application/schema+json" } },
  example: { query: { format: "json-schema", from: "observed" } },
  handle: async ({ actor, query }) => savedText(await exportSchemas(actor.workspaceId, query)),
});

import { defineRoute } from "#lib/api/define-route";
import { createdSource, createSourceBody, sourceList } from "#lib/contracts/sources/sources";
import { createSource } from "#lib/flows/sources/manage-sources";
import { readSources } from "#lib/flows/sources/read-sources";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "sources.read",
  summary: "List sources",
  answers: { 200: sourceList },
  example: {},
  handle: async ({ actor }) => ({ data: await readSources(actor.workspaceId), nextCursor: null }),
}).and("POST", {
  operation: "sources.manage",
  confirms: "always",
  summary: "Add a source",
  description: "A generated secret is shown once, in this response.",
  body: createSourceBody,
  answers: { 201: createdSource },
  example: { body: { name: "github-example", template: "github" } },
  handle: ({ context, body }) => createSource(context, body),
});

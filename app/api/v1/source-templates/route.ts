import { defineRoute } from "#lib/api/define-route";
import { sourceTemplateList } from "#lib/contracts/sources/templates";
import { listTemplates } from "#lib/flows/sources/manage-sources";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "sources.read",
  summary: "List source templates",
  answers: { 200: sourceTemplateList },
  example: {},
  handle: () => Promise.resolve({ data: listTemplates(), nextCursor: null }),
});

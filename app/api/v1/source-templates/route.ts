import { defineRoute, otherMethods } from "#lib/api/define-route";
import { sourceTemplateList } from "#lib/contracts/sources/templates";
import { listTemplates } from "#lib/flows/sources/manage-sources";

export const GET = defineRoute({
  operation: "sources.read",
  summary: "List source templates",
  answers: { 200: sourceTemplateList },
  example: {},
  handle: () => Promise.resolve({ data: listTemplates(), nextCursor: null }),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

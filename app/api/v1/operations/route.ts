import { defineRoute } from "#lib/api/define-route";
import { operationPage, operationQuery } from "#lib/contracts/operations";
import { listOperations } from "#lib/flows/operations/operations";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "operations.read",
  summary: "List long operations of a kind",
  answers: { 200: operationPage },
  example: { query: { kind: "release", limit: "20" } },
  query: operationQuery,
  handle: ({ actor, query }) => listOperations(actor.workspaceId, query),
});

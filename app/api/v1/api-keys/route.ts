import { defineRoute } from "#lib/api/define-route";
import { listApiKeys } from "#lib/auth/api-key-store";
import { apiKeyList, createApiKeyBody, createdApiKey } from "#lib/contracts/auth/settings";
import { createApiKey } from "#lib/flows/members/members";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "keys.manage",
  summary: "List active API keys",
  answers: { 200: apiKeyList },
  example: {},
  handle: async ({ actor }) => ({ data: await listApiKeys(actor.workspaceId), nextCursor: null }),
}).and("POST", {
  // The key's text is only in this response.
  operation: "keys.manage",
  confirms: "always",
  summary: "Create an API key",
  answers: { 201: createdApiKey },
  example: { body: { name: "nightly export", role: "viewer" } },
  body: createApiKeyBody,
  handle: ({ context, body }) => createApiKey(context, body),
});

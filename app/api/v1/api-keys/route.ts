import { actorName } from "#lib/auth/actor";
import { insertApiKey, listApiKeys } from "#lib/auth/api-key-store";
import { recordAudit } from "#lib/auth/audit";
import { AppError } from "#lib/contracts/app-error";
import { apiKeyList, createApiKeyBody, createdApiKey } from "#lib/contracts/settings";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** The API keys that work, newest first; never a key itself. */
export const GET = defineRoute({
  operation: "keys.manage",
  summary: "List the API keys that work",
  answers: { 200: apiKeyList },
  example: {},
  handle: async ({ actor }) => ({ data: await listApiKeys(actor.workspaceId), nextCursor: null }),
});

/** Makes a key. Its text is in this answer and nowhere else. */
export const POST = defineRoute({
  operation: "keys.manage",
  summary: "Make an API key",
  answers: { 201: createdApiKey },
  example: { body: { name: "nightly export", role: "viewer" } },
  body: createApiKeyBody,
  handle: async ({ actor, body, receivedAt }) => {
    const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
    if (expiresAt && expiresAt <= receivedAt) throw new AppError("invalid_request", "expiresAt: name a time to come.");
    const made = await insertApiKey(actor.workspaceId, { name: body.name, role: body.role, expiresAt, createdBy: actorName(actor) });
    const { id, name, role, expiresAt: end } = made;
    await recordAudit(actor, { action: "key.created", target: { kind: "key", id, name }, after: { role, expiresAt: end } });
    return Response.json(made, { status: 201, headers: { "cache-control": "no-store" } });
  },
});

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET, POST });

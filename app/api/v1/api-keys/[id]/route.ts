import { revokeApiKey } from "#lib/auth/api-key-store";
import { recordAudit } from "#lib/auth/audit";
import { AppError } from "#lib/contracts/app-error";
import { idParams } from "#lib/contracts/ids";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Revokes a key: it stops working at once. */
export const DELETE = defineRoute({
  operation: "keys.manage",
  summary: "Revoke an API key",
  params: idParams,
  answers: { 204: null },
  example: { params: { id: "key_example" } },
  handle: async ({ actor, params }) => {
    const revoked = await revokeApiKey(actor.workspaceId, params.id, new Date());
    if (!revoked) throw new AppError("not_found", "There is no such API key, or it was revoked before.");
    await recordAudit(actor, { action: "key.revoked", target: { kind: "key", id: params.id } });
    return new Response(null, { status: 204 });
  },
});

export const { GET, POST, PUT, PATCH, OPTIONS } = otherMethods({ DELETE });

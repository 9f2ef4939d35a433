import { recordAudit } from "#lib/auth/audit";
import { idParams, sourceId } from "#lib/contracts/ids";
import { rotatedSecret, rotateSecretBody } from "#lib/contracts/settings";
import { rotateSecret } from "#lib/events/source-store";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** A new signing secret, made and shown once, or the platform's own; the old one verifies on for the overlap. */
export const POST = defineRoute({
  operation: "sources.manage",
  summary: "Make a new signing secret",
  params: idParams,
  answers: { 200: rotatedSecret },
  example: { params: { id: "src_example" }, body: { overlapHours: 24 } },
  body: rotateSecretBody,
  handle: async ({ actor, params, body }) => {
    const source = sourceId.parse(params.id);
    const { id, secret, previousValidUntil } = await rotateSecret(actor.workspaceId, source, body.overlapHours, body.secret);
    const after = { newSecretId: id, previousValidUntil, given: body.secret !== undefined };
    await recordAudit(actor, { action: "secret.rotated", target: { kind: "source", id: source }, after });
    return { id, secret, previousValidUntil: previousValidUntil.toISOString() };
  },
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ POST });

import { defineRoute } from "#lib/api/define-route";
import { idParams, sourceId } from "#lib/contracts/api/ids";
import { rotatedSecret, rotateSecretBody } from "#lib/contracts/auth/settings";
import { rotateSourceSecret } from "#lib/flows/sources/manage-sources";

/** The old secret is accepted until the overlap ends. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "sources.manage",
  confirms: "always",
  summary: "Rotate a source's signing secret",
  params: idParams,
  answers: { 200: rotatedSecret },
  example: { params: { id: "src_example" }, body: { overlapHours: 24 } },
  body: rotateSecretBody,
  handle: ({ context, params, body }) => rotateSourceSecret(context, sourceId.parse(params.id), body),
});

import { defineRoute } from "#lib/api/define-route";
import { signatureCheck, signatureCheckBody } from "#lib/contracts/quarantine";
import { checkSignature } from "#lib/flows/sources/try-requests";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "signatures.check",
  cost: "heavy",
  summary: "Check a signature",
  description: "Checks a body and its signature against a secret that you send, as the receiver would. Nothing is stored or logged.",
  body: signatureCheckBody,
  answers: { 200: signatureCheck },
  example: { body: { body: '{"id":"evt_1"}', header: "5f2c", secret: "a-webhook-secret" } },
  changes: "nothing",
  handle: async ({ body }) => checkSignature(body),
});

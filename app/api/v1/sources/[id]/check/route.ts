import { defineRoute } from "#lib/api/define-route";
import { idParams, sourceId } from "#lib/contracts/api/ids";
import { checkSourceBody, sourceCheck } from "#lib/contracts/sources/sources";
import { checkSource } from "#lib/flows/sources/try-requests";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "sources.check",
  summary: "Check a request against a source",
  description: "What the receiver would answer, and why. Nothing is stored.",
  params: idParams,
  body: checkSourceBody,
  answers: { 200: sourceCheck },
  example: { params: { id: "src_example" }, body: { headers: { "x-webhook-signature": "0".repeat(64) }, body: "{}" } },
  changes: "nothing",
  handle: ({ actor, params, body }) => checkSource(actor.workspaceId, sourceId.parse(params.id), body, new Date()),
});

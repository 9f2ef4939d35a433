import { defineRoute } from "#lib/api/define-route";
import { idParams, sourceId } from "#lib/contracts/api/ids";
import { learnSourceBody, sourceLearning } from "#lib/contracts/sources/sources";
import { learnScheme } from "#lib/flows/sources/learn-scheme";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "sources.manage",
  summary: "Find out how the sender of a source signs",
  description:
    "For a source of the template unknown: tries the secret with every known scheme on the newest 20 stored requests. Nothing is changed. To use a match, change the source's template, scheme and secret.",
  params: idParams,
  body: learnSourceBody,
  answers: { 200: sourceLearning },
  example: { params: { id: "src_unknown_example" }, body: { secret: "a-webhook-secret-of-the-tests" } },
  changes: "nothing",
  handle: ({ actor, params, body }) => learnScheme(actor.workspaceId, sourceId.parse(params.id), body.secret),
});

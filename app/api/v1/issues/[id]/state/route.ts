import { actorName } from "#lib/auth/actor";
import { idParams } from "#lib/contracts/ids";
import { issue, issueStateBody } from "#lib/contracts/issues";
import { moveIssue } from "#lib/flows/move-issue";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Acknowledges, resolves, ignores or reopens an issue; 409 when its state allows no such step. */
export const POST = defineRoute({
  operation: "issues.manage",
  summary: "Acknowledge, resolve, ignore or reopen an issue",
  params: idParams,
  body: issueStateBody,
  answers: { 200: issue },
  example: { params: { id: "iss_example" }, body: { action: "acknowledge" } },
  handle: ({ actor, params, body: { action } }) => moveIssue(actor.workspaceId, params.id, action, actorName(actor)),
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ POST });

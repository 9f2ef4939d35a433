import { actorName } from "#lib/auth/actor";
import { issueStateBody } from "#lib/contracts/issues";
import { moveIssue } from "#lib/flows/move-issue";
import { defineRoute } from "#lib/http/define-route";

/** Acknowledges, resolves, ignores or reopens an issue; 409 when its state allows no such step. */
export const POST = defineRoute({
  operation: "issues.manage",
  body: issueStateBody,
  handle: ({ actor, params, body: { action } }) => moveIssue(actor.workspaceId, params.id ?? "", action, actorName(actor)),
});

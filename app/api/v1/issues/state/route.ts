import { defineRoute } from "#lib/api/define-route";
import { actorName } from "#lib/auth/actor";
import { issuesChanged, issuesStateBody } from "#lib/contracts/issues";
import { changeIssueStates } from "#lib/flows/issues/issues";

/** Issues whose state doesn't allow the step are left unchanged. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "issues.manage",
  summary: "Acknowledge, resolve, ignore or reopen several issues",
  body: issuesStateBody,
  answers: { 200: issuesChanged },
  example: { body: { ids: ["iss_example"], action: "acknowledge" } },
  handle: ({ actor, audit, body: { ids, action }, receivedAt }) =>
    changeIssueStates(actor.workspaceId, ids, action, actorName(actor), receivedAt, audit),
});

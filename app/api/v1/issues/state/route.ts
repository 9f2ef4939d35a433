import { defineRoute } from "#lib/api/define-route";
import { issuesChanged, issuesStateBody } from "#lib/contracts/issues";
import { changeIssueStates } from "#lib/flows/issues/issues";

/** Issues whose state doesn't allow the step are left unchanged. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "issues.manage",
  summary: "Acknowledge, resolve, ignore or reopen several issues",
  body: issuesStateBody,
  answers: { 200: issuesChanged },
  example: { body: { ids: ["iss_example"], action: "acknowledge" } },
  handle: ({ context, body: { ids, action } }) => changeIssueStates(context, ids, action),
});

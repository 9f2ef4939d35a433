import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { issue, issueStateBody } from "#lib/contracts/issues";
import { changeIssueState } from "#lib/flows/issues/issues";

/** 409 if the issue's state doesn't allow the step. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "issues.manage",
  summary: "Acknowledge, resolve, ignore or reopen an issue",
  params: idParams,
  body: issueStateBody,
  answers: { 200: issue },
  example: { params: { id: "iss_example" }, body: { action: "acknowledge" } },
  handle: ({ context, params, body: { action } }) => changeIssueState(context, params.id, action),
});

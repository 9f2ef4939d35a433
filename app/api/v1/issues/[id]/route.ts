import { defineRoute } from "#lib/api/define-route";
import { expectFound } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { issue as issueSchema } from "#lib/contracts/issues";
import { readIssue } from "#lib/flows/issues/issues";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  summary: "Read an issue",
  params: idParams,
  answers: { 200: issueSchema },
  example: { params: { id: "iss_example" } },
  handle: ({ actor, params, receivedAt }) => expectFound(readIssue(actor.workspaceId, params.id, receivedAt), "issue with that ID"),
});

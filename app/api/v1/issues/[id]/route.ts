import { defineRoute } from "#lib/api/define-route";
import { AppError } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { issue as issueSchema } from "#lib/contracts/issues";
import { readIssue } from "#lib/flows/issues/issues";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  summary: "Read an issue",
  params: idParams,
  answers: { 200: issueSchema },
  example: { params: { id: "iss_example" } },
  handle: async ({ actor, params, receivedAt }) => {
    const issue = await readIssue(actor.workspaceId, params.id, receivedAt);
    if (!issue) throw new AppError("not_found", "There is no issue with that ID.");
    return issue;
  },
});

import { AppError } from "#lib/contracts/app-error";
import { idParams } from "#lib/contracts/ids";
import { issue as issueSchema } from "#lib/contracts/issues";
import { readIssue } from "#lib/flows/read-issues";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** One issue. Its events are `GET /api/v1/events?issue={id}`. */
export const GET = defineRoute({
  operation: "events.read",
  summary: "Read an issue",
  params: idParams,
  answers: { 200: issueSchema },
  example: { params: { id: "iss_example" } },
  handle: async ({ actor, params }) => {
    const issue = await readIssue(actor.workspaceId, params.id);
    if (!issue) throw new AppError("not_found", "There is no such issue.");
    return issue;
  },
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });

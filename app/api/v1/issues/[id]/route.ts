import { AppError } from "#lib/contracts/app-error";
import { readIssue } from "#lib/flows/read-issues";
import { defineRoute } from "#lib/http/define-route";

/** One issue. Its events are `GET /api/v1/events?issue={id}`. */
export const GET = defineRoute({
  operation: "events.read",
  handle: async ({ actor, params }) => {
    const issue = await readIssue(actor.workspaceId, params.id ?? "");
    if (!issue) throw new AppError("not_found", "There is no such issue.");
    return issue;
  },
});

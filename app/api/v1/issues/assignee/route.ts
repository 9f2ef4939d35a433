import { defineRoute } from "#lib/api/define-route";
import { issuesAssigneeBody, issuesChanged } from "#lib/contracts/issues";
import { assignIssues } from "#lib/flows/issues/issues";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "issues.manage",
  summary: "Assign several issues to a member, or to nobody",
  body: issuesAssigneeBody,
  answers: { 200: issuesChanged },
  example: { body: { ids: ["iss_example"], assignee: "usr_example_colleague" } },
  handle: ({ context, body: { ids, assignee } }) => assignIssues(context, ids, assignee),
});

import type { Audit } from "#lib/auth/audit/audit";
import { isMember } from "#lib/auth/members/user-store";
import { AppError, invalidField } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { assignIssue } from "#lib/issues/issue-store";
import { eachIssue } from "./change-issue-state.ts";
import { readIssue } from "./read-issues.ts";

/** Assigns issues to a member, or to nobody (null). @throws AppError `invalid_request` when the assignee is no member */
export async function assignIssues(workspaceId: WorkspaceId, ids: string[], assignee: string | null, now: Date, audit: Audit) {
  if (assignee !== null && !(await isMember(workspaceId, assignee)))
    throw invalidField("assignee", "No member of this workspace has that ID. Members and their IDs: GET /api/v1/members.");
  return eachIssue(ids, audit, async (id) => {
    const before = await assignIssue(workspaceId, id, assignee);
    const issue = before === undefined ? null : await readIssue(workspaceId, id, now);
    if (!issue) throw new AppError("not_found", "There is no issue with that ID, or it has this assignee already.");
    const target = { kind: "issue", id, name: issue.title };
    await audit.record({
      action: "issue.assigned",
      target,
      before: { assignee: before },
      after: { assignee: issue.assignee?.email ?? null },
    });
  });
}

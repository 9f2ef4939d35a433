import { stopReminders } from "#lib/alerts/alert-store";
import type { Audit } from "#lib/auth/audit/audit";
import type { AuditAction } from "#lib/auth/audit/audit-entry";
import { isMember } from "#lib/auth/members/user-store";
import { AppError, invalidField } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Issue, IssueAction, IssuesChanged } from "#lib/contracts/issues";
import { assignIssue, changeIssueState as take } from "#lib/issues/issue-store";
import { readIssue } from "./read-issues.ts";

const ACTIONS = {
  acknowledge: "issue.acknowledged",
  resolve: "issue.resolved",
  ignore: "issue.ignored",
  reopen: "issue.reopened",
} as const satisfies Record<IssueAction, AuditAction>;

/** @param by shown on the page @throws AppError `not_found`; `conflict` when its state allows no such step */
export async function changeIssueState(
  workspaceId: WorkspaceId,
  id: string,
  action: IssueAction,
  by: string,
  now: Date,
  audit: Audit,
): Promise<Issue> {
  const left = await take(workspaceId, id, action, by);
  const issue = await readIssue(workspaceId, id, now);
  if (!issue) throw new AppError("not_found", "There is no issue with that ID.");
  if (left === null)
    throw new AppError("conflict", `The issue is already ${issue.state}: someone else may have changed it. Reload it and try again.`);
  const target = { kind: "issue", id, name: issue.title };
  if (issue.state === "acknowledged") await stopReminders({ workspaceId, rule: "issue", subject: id });
  await audit.record({ action: ACTIONS[action], target, before: { state: left }, after: { state: issue.state } });
  return issue;
}

/** Changes several issues; those that are missing, or whose state allows no such step, stay as they are. */
export const changeIssueStates = (workspaceId: WorkspaceId, ids: string[], action: IssueAction, by: string, now: Date, audit: Audit) =>
  eachIssue(ids, audit, (id) => changeIssueState(workspaceId, id, action, by, now, audit));

/** Changes issues one after the other; those with `conflict` or `not_found` count as unchanged. */
export async function eachIssue(ids: string[], audit: Audit, change: (id: string) => Promise<unknown>): Promise<IssuesChanged> {
  const answer: IssuesChanged = { changed: [], unchanged: [] };
  for (const id of new Set(ids)) {
    try {
      await change(id);
      answer.changed.push(id);
    } catch (error) {
      if (!(error instanceof AppError) || !["conflict", "not_found"].includes(error.code)) throw error;
      answer.unchanged.push(id);
    }
  }
  if (answer.changed.length === 0) audit.unchanged();
  return answer;
}

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

import { stopReminders } from "#lib/alerts/episode-store";
import type { Audit } from "#lib/auth/audit/audit";
import type { AuditAction } from "#lib/auth/audit/audit-labels";
import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Issue, IssueAction } from "#lib/contracts/issues";
import { changeIssueState as take } from "#lib/issues/issue-store";
import { readIssue } from "./read-issues.ts";

const ACTIONS = {
  acknowledge: "issue.acknowledged",
  resolve: "issue.resolved",
  ignore: "issue.ignored",
  reopen: "issue.reopened",
} as const satisfies Record<IssueAction, AuditAction>;

/**
 * Acknowledges, resolves, ignores or reopens an issue.
 *
 * @param by who asks, for the page
 * @throws AppError `not_found`; `conflict` when its state allows no such step
 */
export async function changeIssueState(
  workspaceId: WorkspaceId,
  id: string,
  action: IssueAction,
  by: string,
  audit: Audit,
): Promise<Issue> {
  const left = await take(workspaceId, id, action, by);
  const issue = await readIssue(workspaceId, id);
  if (!issue) throw new AppError("not_found", "There is no issue with that ID.");
  if (left === null)
    throw new AppError("conflict", `The issue is already ${issue.state}: someone else may have changed it. Reload it and try again.`);
  const target = { kind: "issue", id, name: issue.title };
  if (issue.state === "acknowledged") await stopReminders({ workspaceId, rule: "issue", subject: id });
  await audit.record({ action: ACTIONS[action], target, before: { state: left }, after: { state: issue.state } });
  return issue;
}

import { AppError } from "#lib/contracts/app-error";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { Issue, IssueAction } from "#lib/contracts/issues";
import { moveIssue as take } from "#lib/deliveries/issue-store";
import { readIssue } from "./read-issues.ts";

/**
 * Acknowledges, resolves, ignores or reopens an issue.
 *
 * @param by who asks, for the page
 * @throws AppError `not_found`; `conflict` when its state allows no such step
 */
export async function moveIssue(workspaceId: WorkspaceId, id: string, action: IssueAction, by: string): Promise<Issue> {
  const moved = await take(workspaceId, id, action, by);
  const issue = await readIssue(workspaceId, id);
  if (!issue) throw new AppError("not_found", "There is no such issue.");
  if (!moved) throw new AppError("conflict", `The issue is ${issue.state} already: somebody else may have changed it. Look at it again.`);
  return issue;
}

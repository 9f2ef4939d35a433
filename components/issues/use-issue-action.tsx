"use client";

import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { useMoveIssue } from "#lib/client/queries/issues";
import type { Issue, IssueAction, IssueState } from "#lib/contracts/issues";
import { ACTION_WORDS } from "./issue-labels.tsx";

/** The action that leads back to a state. */
const UNDO: Record<IssueState, IssueAction> = { open: "reopen", acknowledged: "acknowledge", resolved: "resolve", ignored: "ignore" };

export function useIssueAction(issue: Issue): { act: (action: IssueAction) => void; pending: IssueAction | null } {
  const move = useMoveIssue(issue.id);
  const change = (action: IssueAction, done: () => void) => tellOutcome(move.mutateAsync(action), done, "Couldn't change the issue");
  const undo = (state: IssueState) => {
    const back = UNDO[state];
    return { label: "Undo", onClick: () => change(back, () => toast.success(ACTION_WORDS[back].done)) };
  };
  const act = (action: IssueAction) => {
    const { done, hint } = ACTION_WORDS[action];
    const before = issue.state;
    change(action, () => toast.success(done, { description: hint, action: undo(before) }));
  };
  return { act, pending: move.isPending ? move.variables : null };
}

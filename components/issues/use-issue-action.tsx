"use client";

import { toast } from "#components/ui/feedback/toast";
import { useMoveIssue } from "#lib/client/queries/issues";
import type { Issue, IssueAction, IssueState } from "#lib/contracts/issues";
import { ACTION_WORDS } from "./issue-labels.tsx";

/** The action that leads back to a state. */
const UNDO: Record<IssueState, IssueAction> = { open: "reopen", acknowledged: "acknowledge", resolved: "resolve", ignored: "ignore" };

/** Acts on an issue and says what happened, with a way back. `pending`: the action under way. */
export function useIssueAction(issue: Issue): { act: (action: IssueAction) => void; pending: IssueAction | null } {
  const move = useMoveIssue(issue.id);
  const onError = (error: Error) => toast.error("Couldn't change the issue", { description: error.message });
  // As promises: in a list the row is gone with the issue's state, and callbacks of `mutate` end with it.
  const undo = (state: IssueState) => {
    const back = UNDO[state];
    return { label: "Undo", onClick: () => void move.mutateAsync(back).then(() => toast.success(ACTION_WORDS[back].done), onError) };
  };
  const act = (action: IssueAction) => {
    const { done, hint } = ACTION_WORDS[action];
    const before = issue.state;
    void move.mutateAsync(action).then(() => toast.success(done, { description: hint, action: undo(before) }), onError);
  };
  return { act, pending: move.isPending ? move.variables : null };
}

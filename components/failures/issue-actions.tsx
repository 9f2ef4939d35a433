"use client";

import { ACTION_WORDS } from "#components/failures/issue-words";
import { useCommands } from "#components/shell/commands";
import { Button } from "#components/ui/button";
import { toast } from "#components/ui/toast";
import { Tooltip } from "#components/ui/tooltip";
import { useMoveIssue } from "#lib/client/issues";
import type { Issue, IssueAction } from "#lib/contracts/issues";

const NOT_ALLOWED = "Your role may look, but not change issues. Ask an owner or admin.";

/** The steps that a person may take with an issue in its present state. */
export function IssueActions({ issue, allowed }: { issue: Issue; allowed: boolean }) {
  const move = useMoveIssue(issue.id);
  const press = (action: IssueAction) =>
    move.mutate(action, {
      onSuccess: () => toast.success(ACTION_WORDS[action].done, { description: ACTION_WORDS[action].hint }),
      onError: (error) => toast.error("The issue was not changed", { description: error.message }),
    });
  useCommands(
    allowed ? issue.actions.map((action) => ({ label: `${ACTION_WORDS[action].label} this issue`, run: () => press(action) })) : [],
  );
  return issue.actions.map((action) => (
    <Tooltip key={action} content={allowed ? ACTION_WORDS[action].hint : NOT_ALLOWED}>
      <Button
        icon={ACTION_WORDS[action].icon}
        loading={move.isPending && move.variables === action}
        {...(allowed ? { onClick: () => press(action) } : { "aria-disabled": true })}
      >
        {ACTION_WORDS[action].label}
      </Button>
    </Tooltip>
  ));
}

"use client";

import { useCommands } from "#components/shell/palette/commands";
import { Tooltip } from "#components/ui/overlay/tooltip";
import { Button } from "#components/ui/primitives/button";
import type { Issue } from "#lib/contracts/issues";
import { ACTION_WORDS } from "./issue-labels.tsx";
import { useIssueAction } from "./use-issue-action.tsx";

const NOT_ALLOWED = "Your role can view issues but not change them. Ask an owner or admin.";

export function IssueActions({ issue, allowed }: { issue: Issue; allowed: boolean }) {
  const { act, pending } = useIssueAction(issue);
  useCommands(
    allowed
      ? issue.actions.map((action) => ({
          label: `${ACTION_WORDS[action].label} this issue`,
          ...(action === "resolve" && { keys: "e" }),
          run: () => act(action),
        }))
      : [],
  );
  return issue.actions.map((action) => (
    <Tooltip key={action} content={allowed ? ACTION_WORDS[action].hint : NOT_ALLOWED}>
      <Button
        icon={ACTION_WORDS[action].icon}
        loading={pending === action}
        {...(allowed ? { onClick: () => act(action) } : { "aria-disabled": true })}
      >
        {ACTION_WORDS[action].label}
      </Button>
    </Tooltip>
  ));
}

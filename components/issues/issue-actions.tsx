"use client";

import { useQuery } from "@tanstack/react-query";
import { Ellipsis, RotateCw } from "lucide-react";
import { useState } from "react";
import { SNOOZE_CHOICES, snoozeFor } from "#components/records/snooze-menu";
import { useCommands } from "#components/shell/palette/commands";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import type { MenuEntry } from "#components/ui/overlay/panes/menu-pane";
import { DropdownMenu } from "#components/ui/overlay/popover";
import { Tooltip } from "#components/ui/overlay/tooltip";
import { Button, LinkButton } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { issueSnoozeQuery, useSnoozeIssue } from "#lib/client/queries/alerts";
import type { Issue } from "#lib/contracts/issues";
import { ACTION_WORDS, useAssignment, useIssueAction } from "./issue-state.tsx";

const NOT_ALLOWED = "Your role can view issues but not change them. Ask an owner or admin.";

/** The action that ends an issue, or opens it again; the others are in the menu. */
const endingOf = ({ actions }: Issue) => (["resolve", "reopen"] as const).find((action) => actions.includes(action)) ?? actions[0];

export function IssueAction({ issue, allowed }: { issue: Issue; allowed: boolean }) {
  const { act, pending } = useIssueAction(issue);
  const action = endingOf(issue);
  useCommands(
    allowed
      ? issue.actions.map((action) => ({
          label: `${ACTION_WORDS[action].label} this issue`,
          ...(action === "resolve" && { keys: "e" }),
          run: () => act(action),
        }))
      : [],
  );
  if (action === undefined) return null;
  return (
    <Tooltip content={allowed ? ACTION_WORDS[action].hint : NOT_ALLOWED}>
      <Button
        icon={ACTION_WORDS[action].icon}
        loading={pending === action}
        {...(allowed ? { onClick: () => act(action) } : { "aria-disabled": true })}
      >
        {ACTION_WORDS[action].label}
      </Button>
    </Tooltip>
  );
}

export function MoreActions({ issue, ownId }: { issue: Issue; ownId: string | null }) {
  const { act } = useIssueAction(issue);
  const assignment = useAssignment({ issues: [issue], ownId });
  const others = issue.actions.filter((action) => action !== endingOf(issue));
  return (
    <DropdownMenu
      label="More actions"
      className="max-h-[70vh] max-w-72 overflow-y-auto"
      onOpenChange={(open) => open && assignment.load()}
      trigger={<Button aria-label="More actions" className="px-2" loading={assignment.isPending} icon={<Ellipsis />} />}
      entries={[
        ...others.map((action) => ({ label: ACTION_WORDS[action].label, icon: ACTION_WORDS[action].icon, onSelect: () => act(action) })),
        { kind: "line" },
        { kind: "label", label: "Assign to" },
        ...assignment.entries,
        { kind: "line" },
        { kind: "label", label: "Snooze alerts" },
        ...useSnoozeEntries(issue.id),
      ]}
    />
  );
}

function useSnoozeEntries(id: string): MenuEntry[] {
  const { data } = useQuery(issueSnoozeQuery(id));
  const snooze = useSnoozeIssue(id);
  useCommands(
    data?.snoozed
      ? [{ label: "End the snooze of this issue", run: () => snoozeFor(snooze, "none") }]
      : SNOOZE_CHOICES.map(({ value, label }) => ({
          label: `Snooze this issue ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
          run: () => snoozeFor(snooze, value),
        })),
  );
  if (!data) return [{ kind: "label", label: "Loading…" }];
  const choices = data.snoozed ? [{ value: "none" as const, label: "End the snooze" }] : SNOOZE_CHOICES;
  return choices.map(({ value, label }) => ({ label, onSelect: () => snoozeFor(snooze, value) }));
}

const RedeliverDialog = lazyComponent(() => import("#components/records/redeliver-dialog").then((module) => module.RedeliverDialog));

type RedeliverIssueProps = {
  issueId: string;
  /** The events have no ID and the user may map fields: re-delivered without a mapping they fail again. */
  mappable: boolean;
  allowed: boolean;
};

export function RedeliverIssue({ issueId, mappable, allowed }: RedeliverIssueProps) {
  const [open, setOpen] = useState(false);
  const ask = () => setOpen(true);
  useCommands(allowed ? [{ label: "Re-deliver failed events", keys: "r", run: ask }] : []);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {mappable ? (
        <LinkButton variant="primary" size="sm" href={`/settings/field-mapping?issue=${encodeURIComponent(issueId)}`}>
          Map fields
        </LinkButton>
      ) : null}
      {allowed ? (
        <Button variant={mappable ? "secondary" : "primary"} size="sm" icon={<RotateCw />} onClick={ask}>
          Re-deliver failed events
        </Button>
      ) : null}
      <TextLink href={`/events?issue=${encodeURIComponent(issueId)}&state=failed`}>Review them</TextLink>
      {open ? (
        <RedeliverDialog dryRunFirst set={{ filter: { issue: [issueId], state: ["failed"] } }} onClose={() => setOpen(false)} />
      ) : null}
    </div>
  );
}

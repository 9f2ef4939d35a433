"use client";

import { useQuery } from "@tanstack/react-query";
import { SNOOZE_CHOICES, SnoozeMenu, snoozeFor } from "#components/records/snooze-menu";
import { useCommands } from "#components/shell/palette/commands";
import { issueSnoozeQuery, useSnoozeIssue } from "#lib/client/queries/alerts";

export function IssueSnooze({ id, title }: { id: string; title: string }) {
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
  return data ? <SnoozeMenu what={title} snoozed={data.snoozed} snooze={snooze} /> : null;
}

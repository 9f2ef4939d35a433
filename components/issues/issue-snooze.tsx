"use client";

import { useQuery } from "@tanstack/react-query";
import { SnoozeMenu } from "#components/records/snooze-menu";
import { issueSnoozeQuery, useSnoozeIssue } from "#lib/client/queries/alerts";

/** Snoozes the alerts of an issue. */
export function IssueSnooze({ id, title }: { id: string; title: string }) {
  const { data } = useQuery(issueSnoozeQuery(id));
  const snooze = useSnoozeIssue(id);
  return data ? <SnoozeMenu what={title} snoozed={data.snoozed} snooze={snooze} /> : null;
}

"use client";

import { ChoiceButtons } from "#components/ui/choice-buttons";
import { Count } from "#components/ui/count";
import { Select } from "#components/ui/select";
import { useCounts } from "#lib/client/counts";
import { type IssueFilter, type IssueOrigin, type IssueState, issueOrigin } from "#lib/contracts/issues";

const STATES: { value: IssueState | "all"; label: string }[] = [
  { value: "open", label: "Open" },
  { value: "acknowledged", label: "Acknowledged" },
  { value: "ignored", label: "Ignored" },
  { value: "resolved", label: "Resolved" },
  { value: "all", label: "All" },
];

const ORIGINS = [
  { value: "any", label: "From anywhere" },
  { value: "processing", label: "Could not be applied" },
  { value: "platform", label: "Reported by the platform" },
];

/** The address of the list with that filter: the address holds what it says. */
export function issuesHref(state: IssueState | "all", origin: IssueOrigin | undefined): string {
  const params = new URLSearchParams();
  if (state !== "open") params.set("state", state);
  if (origin) params.set("origin", origin);
  return params.size === 0 ? "/failures" : `/failures?${params}`;
}

/** Which issues are shown: by state, and by where they come from. */
export function IssueFilters({ filter }: { filter: IssueFilter }) {
  const { data: counts } = useCounts();
  const state = filter.state?.[0] ?? "all";
  const openCount = counts && counts.openIssues > 0 ? <Count value={counts.openIssues} tone="failed" /> : null;
  const go = (href: string) => window.history.replaceState(null, "", href);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <ChoiceButtons
        legend="State"
        choices={STATES.map((choice) => (choice.value === "open" ? { ...choice, count: openCount } : choice))}
        chosen={state}
        onChoose={(value) => go(issuesHref(value, filter.origin))}
      />
      <Select
        label="Where they come from"
        className="w-auto"
        value={filter.origin ?? "any"}
        onValueChange={(origin) => go(issuesHref(state, issueOrigin.safeParse(origin).data))}
        options={ORIGINS}
      />
    </div>
  );
}

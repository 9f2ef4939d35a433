"use client";

import { Button } from "#components/ui/button";
import { Count } from "#components/ui/count";
import { Select } from "#components/ui/select";
import { useCounts } from "#lib/client/counts";
import { type IssueFilter, type IssueOrigin, type IssueState, issueOrigin } from "#lib/contracts/issues";

const STATES: readonly (readonly [IssueState | "all", string])[] = [
  ["open", "Open"],
  ["acknowledged", "Acknowledged"],
  ["ignored", "Ignored"],
  ["resolved", "Resolved"],
  ["all", "All"],
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
  const go = (href: string) => window.history.replaceState(null, "", href);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">State</legend>
        {STATES.map(([value, label]) => (
          <Button
            key={value}
            size="sm"
            variant={value === state ? "secondary" : "ghost"}
            aria-pressed={value === state}
            onClick={() => go(issuesHref(value, filter.origin))}
          >
            {label}
            {value === "open" && counts && counts.openIssues > 0 ? <Count value={counts.openIssues} tone="failed" /> : null}
          </Button>
        ))}
      </fieldset>
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

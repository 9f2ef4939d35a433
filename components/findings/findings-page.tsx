"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { FindingRow } from "#components/findings/finding-row";
import { ChoiceButtons } from "#components/ui/choice-buttons";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/empty-state";
import { LoadOlder } from "#components/ui/load-older";
import { PageHeader } from "#components/ui/page-header";
import { findingsQuery } from "#lib/client/findings";
import { type FindingState, findingState } from "#lib/contracts/findings";

const STATES: { value: FindingState; label: string }[] = [
  { value: "open", label: "Open" },
  { value: "dismissed", label: "Dismissed" },
  { value: "closed", label: "Closed by itself" },
];

const NOTHING: Record<FindingState, [title: string, words: string]> = {
  open: ["Nothing seems to be missing", "Every event that others lead one to expect has come, as far as the log tells."],
  dismissed: ["Nothing is dismissed", "A suspicion that somebody sets aside stands here until the event comes."],
  closed: ["Nothing has closed yet", "A suspicion closes by itself when the event comes that was missing."],
};

/** What should have come and, as far as the log tells, never did. Suspicions, each with its rule and its evidence. */
export function FindingsPage({ canDismiss }: { canDismiss: boolean }) {
  const state = findingState.safeParse(useSearchParams().get("state")).data ?? "open";
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Missing"
        description="What never came: events that others lead one to expect, and that the log does not have. These are suspicions: an event may be late, or the platform may not send it."
      />
      <StateTabs state={state} />
      <Findings key={state} state={state} canDismiss={canDismiss} />
    </div>
  );
}

/** Which are shown. The address holds the choice. */
function StateTabs({ state }: { state: FindingState }) {
  const choose = (next: FindingState) => window.history.replaceState(null, "", next === "open" ? "/findings" : `/findings?state=${next}`);
  return <ChoiceButtons legend="Which suspicions" choices={STATES} chosen={state} onChoose={choose} />;
}

function Findings({ state, canDismiss }: { state: FindingState; canDismiss: boolean }) {
  const query = useInfiniteQuery(findingsQuery(state));
  if (query.isPending) return <LoadingState what="suspicions" />;
  if (!query.data) return <ErrorState what="suspicions" error={query.error} onRetry={() => void query.refetch()} />;
  const findings = query.data.pages.flatMap(({ data }) => data);
  const [title, words] = NOTHING[state];
  if (findings.length === 0)
    return (
      <NothingYet icon={<CircleCheck aria-hidden />} title={title}>
        {words}
      </NothingYet>
    );
  return (
    <>
      <ul aria-label="Suspicions, newest first" className="border-t border-line">
        {findings.map((finding) => (
          <FindingRow key={finding.id} finding={finding} canDismiss={canDismiss} />
        ))}
      </ul>
      <LoadOlder query={query} className="self-start" />
    </>
  );
}

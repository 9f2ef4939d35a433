"use client";

import { CircleCheck } from "lucide-react";
import { StateBadge } from "#components/records/badges/state-badge";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/layout/empty-state";
import { Panel, PanelHeader } from "#components/ui/layout/panel";
import { Section } from "#components/ui/layout/section";
import { LoadOlder } from "#components/ui/lists/load-older";
import { Button } from "#components/ui/primitives/button";
import { useClockWords, useTimeWords } from "#components/ui/time/use-exact-time";
import { useDismissOutages, useOutages } from "#lib/client/queries/sources/outages";
import type { Outage } from "#lib/contracts/outages";
import { answeredWords } from "./outage-labels.tsx";
import { OutageSourceRow } from "./outage-source-row.tsx";

export function OutagesPage({ canDismiss }: { canDismiss: boolean }) {
  const query = useOutages();
  const { data, error, isPending, refetch } = query;
  const outages = data?.pages.flatMap((page) => page.data);
  const newest = outages?.find(({ dismissed }) => !dismissed);
  return (
    <Section
      title="Outages"
      description="When Signalbox could not accept webhooks in the last 30 days, and what each sender does then."
      actions={newest && canDismiss ? <DismissButton until={newest.to} /> : undefined}
    >
      {isPending ? (
        <LoadingState what="the outages" rows={3} />
      ) : !outages ? (
        <ErrorState what="the outages" error={error} onRetry={() => void refetch()} />
      ) : outages.length === 0 ? (
        <NothingYet icon={<CircleCheck aria-hidden />} title="No outages in the last 30 days">
          Signalbox was running and accepted requests the whole time.
        </NothingYet>
      ) : (
        outages.map((outage) => <OutagePanel key={outage.from} outage={outage} />)
      )}
      <LoadOlder query={query} className="self-start" />
    </Section>
  );
}

function OutagePanel({ outage }: { outage: Outage }) {
  const clockWords = useClockWords(false);
  const timeWords = useTimeWords();
  const [from, to] = [Date.parse(outage.from), Date.parse(outage.to)];
  const sameDay = to - from < 86_400_000;
  return (
    <Panel>
      <PanelHeader
        title={
          <span suppressHydrationWarning>
            {clockWords(from)} to {timeWords(to, !sameDay)}
          </span>
        }
        actions={outage.dismissed ? <StateBadge state="neutral">Dismissed</StateBadge> : undefined}
      />
      <div className="flex flex-col gap-2 px-4 py-3">
        <p>{answeredWords(outage)}</p>
        <ul className="border-t border-line">
          {outage.sources.map((source) => (
            <OutageSourceRow key={source.id} source={source} />
          ))}
        </ul>
      </div>
    </Panel>
  );
}

function DismissButton({ until }: { until: string }) {
  const dismiss = useDismissOutages();
  return (
    <Button
      size="sm"
      loading={dismiss.isPending}
      onClick={() =>
        tellOutcome(
          dismiss.mutateAsync(until),
          () => toast.success("Dismissed: the overview no longer shows them"),
          "Couldn't dismiss them",
        )
      }
    >
      Dismiss all
    </Button>
  );
}

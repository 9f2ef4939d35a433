"use client";

import { CircleCheck } from "lucide-react";
import { tellOutcome } from "#components/ui/feedback/toast";
import { NothingYet } from "#components/ui/layout/content-states";
import { Panel, PanelHeader, Section } from "#components/ui/layout/section";
import { LoadOlder, paged } from "#components/ui/lists/paging";
import { StateBadge } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { useNow } from "#components/ui/relative-time";
import { durationWords, useClockWords, useTimeWords } from "#components/ui/time-format";
import { useDismissOutages, useOutages } from "#lib/client/queries/sources";
import { countWords, formatNumber, nounFor } from "#lib/contracts/format-count";
import type { Outage, OutageSource } from "#lib/contracts/outages";

export function OutagesPage({ canDismiss }: { canDismiss: boolean }) {
  const query = useOutages();
  const { rows: outages, fallback } = paged(query, { what: "the outages", rows: 3 });
  const newest = outages.find(({ dismissed }) => !dismissed);
  return (
    <Section
      title="Outages"
      description="When Signalbox could not accept webhooks in the last 30 days, and what each sender does then."
      actions={newest && canDismiss ? <DismissButton until={newest.to} /> : undefined}
    >
      {outages.length === 0
        ? (fallback ?? (
            <NothingYet icon={<CircleCheck />} title="No outages in the last 30 days">
              Signalbox records outages from its first start on.
            </NothingYet>
          ))
        : outages.map((outage) => <OutagePanel key={outage.from} outage={outage} />)}
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
            <OutageSourceRow key={source.id} source={source} alone={outage.sources.length === 1} />
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
      onClick={() => tellOutcome(dismiss.mutateAsync({ until }), "Dismissed: the overview no longer shows them", "Couldn't dismiss them")}
    >
      Dismiss all
    </Button>
  );
}

/** `alone`: its requests are those of the outage, which says how many. */
function OutageSourceRow({ source, alone }: { source: OutageSource; alone: boolean }) {
  const now = useNow();
  const clockWords = useClockWords(false);
  const { id, name, sender, retriesUntil, retryHours, docsUrl } = source;
  const until = retriesUntil === null ? "" : clockWords(Date.parse(retriesUntil));
  return (
    <li className="flex flex-col gap-1 border-b border-line py-2 last:border-b-0" data-source={id}>
      <p className="flex flex-wrap gap-x-2">
        <TextLink href={`/events?source=${encodeURIComponent(name)}`}>{name}</TextLink>
        {alone ? null : <span className="text-muted">{answeredWords(source)}</span>}
      </p>
      <p className="text-13 text-muted" suppressHydrationWarning>
        {retryWords(source, until, now)}
        {retryHours === 0 && docsUrl !== null ? (
          <>
            {" "}
            <a href={docsUrl} target="_blank" rel="noreferrer" className="text-accent-text underline underline-offset-2">
              How {sender} redelivers
            </a>
          </>
        ) : null}
      </p>
    </li>
  );
}

const requests = (count: number) => countWords(count, "request was", "requests were");

function answeredWords({ unavailable, limited, awayMs }: Pick<Outage, "unavailable" | "limited"> & { awayMs?: number }): string {
  const sentences = [
    unavailable > 0 ? `${requests(unavailable)} answered 503 and not stored.` : "",
    limited > 0 ? `${requests(limited)} answered 429: too many earlier requests had an invalid signature.` : "",
    awayMs ? `Signalbox was not running for ${durationWords(awayMs)}.` : "",
  ];
  return sentences.filter(Boolean).join(" ");
}

/** `until`: when the sender gives up, in words. */
function retryWords({ sender, retries, retriesUntil, retryHours, arrivedSince }: OutageSource, until: string, now: number): string {
  const isOver = retriesUntil !== null && Date.parse(retriesUntil) <= now;
  const end = retriesUntil === null || retryHours === 0 ? "" : isOver ? ` It gave up at ${until}.` : ` It may still send until ${until}.`;
  const since =
    arrivedSince === null
      ? ""
      : arrivedSince === 0
        ? " No events from that time have arrived since."
        : ` ${arrivedSince > 1000 ? "More than 1,000" : formatNumber(arrivedSince)} ${nounFor(arrivedSince, "event")} from that time ${arrivedSince === 1 ? "has" : "have"} arrived since.`;
  return `${sender}: ${retries}${end}${since}`;
}

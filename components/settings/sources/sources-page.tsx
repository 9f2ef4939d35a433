"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ResourceId } from "#components/records/resource-id";
import { BarChart, ChartSkeleton } from "#components/ui/charts/bar-chart";
import { durationTicksTo } from "#components/ui/charts/chart-data";
import { RANGE_WORDS, RangePicker, useRange } from "#components/ui/charts/range-picker";
import { CopyButton } from "#components/ui/code-block";
import { withFallback } from "#components/ui/layout/content-states";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { Panel, PanelHeader, Section } from "#components/ui/layout/section";
import { StateBadge } from "#components/ui/primitives/badge";
import { LinkButton } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { RelativeTime } from "#components/ui/relative-time";
import { durationWords, useClockWords } from "#components/ui/time-format";
import { sourceDelayQuery, useSources } from "#lib/client/queries/settings";
import { useOutages } from "#lib/client/queries/sources";
import type { SourceDelay } from "#lib/contracts/auth/settings";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { Source } from "#lib/contracts/sources/sources";
import { AddSourceDialog, LearnScheme } from "./add-source.tsx";
import { BroughtSecret } from "./brought-secret.tsx";
import { EndSecret, SourceActions } from "./source-actions.tsx";

export function SourcesPage({ canManage }: { canManage: boolean }) {
  const { data, fallback } = withFallback(useSources(), { what: "the sources", rows: 3 });
  const outages = useOutages().data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Section
      title="Sources and secrets"
      description="The URLs that senders post webhooks to, and the secrets that verify them."
      actions={
        <>
          <LinkButton size="sm" href="/settings/sources/signature">
            Signature playground
          </LinkButton>
          {canManage ? <AddSourceDialog /> : null}
        </>
      }
    >
      {data?.map((source) => (
        <SourcePanel
          key={source.id}
          source={source}
          outages={outages.filter(({ sources }) => sources.some(({ id }) => id === source.id)).length}
          canManage={canManage}
          alone={data.filter(({ archivedAt }) => archivedAt === null).length === 1}
        />
      )) ?? fallback}
    </Section>
  );
}

const RECORDS: Record<Source["records"], string> = {
  platform: "Documents, tasks, pipelines, automations and integrations",
  documents: "Documents",
  generic: "Records of its own",
  none: "None: its events are kept, shown and forwarded",
};

type SourcePanelProps = { source: Source; outages: number; canManage: boolean; alone: boolean };

function SourcePanel({ source, outages, canManage, alone }: SourcePanelProps) {
  const { name, url, lastEventAt, secrets, sender, trust, records, record, template, archivedAt, scheme, covers } = source;
  const state = stateOf(source);
  return (
    <Panel id={`source-${name}`}>
      <PanelHeader title={name} actions={canManage ? <SourceActions source={source} alone={alone} /> : undefined} />
      <KeyValueList
        className="px-4 py-1"
        items={[
          {
            label: "URL",
            value: (
              <span className="flex max-w-full items-center gap-1">
                <code className="min-w-0 break-all text-12">{url}</code>
                <CopyButton value={url} label="Copy URL" />
              </span>
            ),
          },
          ...(state === null ? [] : [{ label: "State", value: state }]),
          { label: "Sender", value: template === "unknown" && canManage ? <LearnScheme source={source} /> : sender },
          ...(covers.length === 0 ? [] : [{ label: "Proof", value: `Partly signed: ${covers.join(", ")}` }]),
          { label: "Records", value: record === null ? RECORDS[records] : `${record.kind}, by ${record.id}` },
          { label: "Last event", value: lastEventAt === null ? "None yet" : <RelativeTime at={lastEventAt} /> },
          ...(outages === 0
            ? []
            : [{ label: "Outages", value: <TextLink href="/settings/outages">{`${outages} in the last 30 days`}</TextLink> }]),
          {
            label: template === "sns" ? "Certificates" : scheme.jwt?.jwks === undefined ? "Secrets" : "Keys",
            value:
              template === "unknown" ? (
                "None until the sender is known"
              ) : trust === "network" ? (
                "Not needed: requests from known networks are accepted"
              ) : template === "sns" && secrets.length === 0 ? (
                "None yet: it is fetched when the first message arrives"
              ) : secrets.length === 0 && scheme.learning ? (
                "None yet: its sender brings it, or shows it after its first request"
              ) : secrets.length === 0 && scheme.jwt?.jwks !== undefined ? (
                "None yet: they are fetched when the first request arrives"
              ) : secrets.length === 0 ? (
                <StateBadge state="failed">None: every request is rejected</StateBadge>
              ) : (
                <Secrets source={source} canEnd={canManage && archivedAt === null} />
              ),
          },
        ]}
      />
      <BroughtSecret source={source} canManage={canManage} />
      {lastEventAt === null || archivedAt !== null ? null : <SourceDelayChart id={source.id} />}
    </Panel>
  );
}

/** Returns why a source's webhooks become no events, and since when; null if it receives. */
function stateOf({ name, archivedAt, pausedAt, held }: Source): ReactNode {
  if (archivedAt !== null)
    return (
      <SourceState badge={<StateBadge state="neutral">Archived</StateBadge>}>
        Its URL answers 404 since <RelativeTime at={archivedAt} />. Received events are kept.
      </SourceState>
    );
  if (pausedAt === null) return null;
  return (
    <SourceState badge={<StateBadge state="attention">Paused</StateBadge>}>
      since <RelativeTime at={pausedAt} />.{" "}
      {held === 0 ? "Nothing is held yet." : <TextLink href={heldHref(name)}>{heldWords(held)}</TextLink>}
    </SourceState>
  );
}

const SourceState = ({ badge, children }: { badge: ReactNode; children: ReactNode }) => (
  <span className="flex flex-wrap items-center gap-2">
    {badge}
    <span className="text-12 text-muted">{children}</span>
  </span>
);

const heldHref = (name: string) => `/quarantine?source=${encodeURIComponent(name)}&reason=source_paused`;

const heldWords = (held: number) =>
  held > 1000 ? "More than 1,000 requests are held" : `${countWords(held, "request is", "requests are")} held`;

function Secrets({ source, canEnd }: { source: Source; canEnd: boolean }) {
  const { secrets } = source;
  return (
    <ul className="flex flex-col gap-2">
      {secrets.map(({ id, createdAt, validUntil }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {validUntil === null ? <StateBadge state="fine">Active</StateBadge> : <StateBadge state="attention">Retiring</StateBadge>}
          <ResourceId id={id} />
          <span className="text-12 text-muted">
            created <RelativeTime at={createdAt} />
            {validUntil === null ? null : (
              <>
                , expires <RelativeTime at={validUntil} ahead />
              </>
            )}
          </span>
          {validUntil === null || !canEnd ? null : <EndSecret source={source} id={id} />}
        </li>
      ))}
    </ul>
  );
}

const SERIES = [
  { label: "p50", hue: "accent" as const },
  { label: "p95", hue: "attention" as const },
];

/** Shows the delay from `created` to the receipt. */
function SourceDelayChart({ id }: { id: string }) {
  const { range, setRange } = useRange("24h");
  const { data } = useQuery(sourceDelayQuery(id, range));
  return (
    <div className="flex flex-col gap-2 border-t border-line px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-13 font-medium">Delivery delay, {RANGE_WORDS[range]}</h3>
        <RangePicker range={range} setRange={setRange} />
      </div>
      {data ? <Delay delay={data} /> : <ChartSkeleton height={72} />}
      <p className="max-w-[80ch] text-12 text-muted">
        From the sender's time of an event to our receipt. If that time has whole seconds, a delay reads up to 1 s longer than it was.
        {data?.leftOut
          ? " Events received more than a day after it are left out, as late or replayed; so is the sandbox's generated history."
          : ""}
      </p>
    </div>
  );
}

function Delay({ delay }: { delay: SourceDelay }) {
  const clockWords = useClockWords(false);
  const { p50Ms, p95Ms, events, leftOut, complete, bars } = delay;
  if (p50Ms === null || p95Ms === null)
    return (
      <p className="text-13 text-muted">
        {leftOut > 0
          ? `No delay to show: ${countWords(leftOut, "event")} left out.`
          : complete
            ? "No events in this time."
            : "Reading the delay took too long. Choose a shorter range."}
      </p>
    );
  const words = `p50 ${durationWords(p50Ms)}, p95 ${durationWords(p95Ms)}`;
  return (
    <>
      <p className="text-13 tabular-nums" data-delay>
        {words}
        <span className="text-muted">
          {complete ? ` of ${countWords(events, "event")}` : ` of the newest ${formatNumber(events)} events`}
          {leftOut === 0 ? null : `, ${formatNumber(leftOut)} left out`}
        </span>
      </p>
      <BarChart
        label={`Delivery delay: ${words}`}
        series={SERIES}
        bars={bars.map((bar) => ({ at: bar.at, label: clockWords(Date.parse(bar.at)), values: [bar.p50Ms, bar.p95Ms] }))}
        words={durationWords}
        ticksFor={durationTicksTo}
        lines
        height={72}
      />
    </>
  );
}

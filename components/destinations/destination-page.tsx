"use client";

import { useQuery } from "@tanstack/react-query";
import { CopyButton } from "#components/ui/code-block";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { withFallback } from "#components/ui/layout/content-states";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { PageHeader } from "#components/ui/layout/page-header";
import { Panel } from "#components/ui/layout/section";
import { Stat } from "#components/ui/layout/stat";
import { Tabs } from "#components/ui/layout/tabs";
import { useUrlParameter } from "#components/ui/lists/use-page-query";
import { RelativeTime } from "#components/ui/relative-time";
import { destinationQuery } from "#lib/client/queries/destinations";
import { asSentence } from "#lib/contracts/as-sentence";
import { writeJson } from "#lib/contracts/exact-json";
import { countWords } from "#lib/contracts/format-count";
import { HELD_DAYS } from "#lib/contracts/forwarding/delivery-states";
import type { Destination } from "#lib/contracts/forwarding/destinations";
import { DeliveriesSection } from "./deliveries-section.tsx";
import { DestinationActions } from "./destination-actions.tsx";
import {
  DestinationStateBadge,
  exhaustedWords,
  MODES,
  openWord,
  pendingWords,
  REASONS,
  selectionWords,
  successRate,
} from "./destination-labels.tsx";
import { TestButton } from "./test-destination.tsx";

type DestinationPageProps = { id: string; canManage: boolean; types: string[]; sources: string[] };

export function DestinationPage({ id, canManage, types, sources }: DestinationPageProps) {
  const { data: destination, fallback } = withFallback(useQuery(destinationQuery(id)), { what: "the destination" });
  const [tab, setTab] = useUrlParameter("tab", "deliveries");
  if (!destination) return fallback;
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={destination.name}
        meta={<DestinationStateBadge state={destination.state} />}
        description={<span className="break-all font-mono text-12">{destination.url}</span>}
        actions={canManage ? <DestinationActions destination={destination} types={types} sources={sources} /> : undefined}
      />
      <StateNotice destination={destination} />
      <Figures destination={destination} />
      {canManage ? <TestButton key={testedOf(destination)} id={id} /> : null}
      <Tabs
        label="About this destination"
        value={tab}
        onValueChange={setTab}
        items={[
          {
            value: "deliveries",
            label: "Deliveries",
            content: <DeliveriesSection destinationId={id} canManage={canManage} state={destination.state} />,
          },
          { value: "settings", label: "Settings", content: <KeyValueList items={settingsOf(destination)} /> },
        ]}
      />
    </div>
  );
}

/** What a test's result depends on: with a change of it, the result is of another destination. */
const testedOf = ({ url, mode, headers, secrets }: Destination) => JSON.stringify([url, mode, headers, secrets.map(({ id }) => id)]);

function StateNotice({ destination: { state, reason, nextProbeAt, pending, lastFailure, stateBy } }: { destination: Destination }) {
  if (state === "active") return null;
  const held =
    pending === 0
      ? "Nothing is held yet."
      : `${pendingWords(pending)} ${pending === 1 ? "delivery is" : "deliveries are"} held. Their events are kept for ${HELD_DAYS} days past your retention period; deliveries not sent by then are cancelled.`;
  if (state === "paused")
    return (
      <ProblemNotice tone="attention" what={`Paused${stateBy === null ? "" : ` by ${stateBy}`}`} why={held} fix="Resume it to send them." />
    );
  const words = REASONS[reason ?? "failing"];
  // That it answered 410 is the failure, and what to do about it is said.
  const last = reason === "gone" ? null : lastFailure;
  return (
    <ProblemNotice
      what={words.what}
      why={
        <>
          {last === null ? "" : `${asSentence(`Last failure: ${last.detail}`)} `}
          {held}
        </>
      }
      fix={
        <>
          {last === null ? "" : `${last.fix} `}
          {words.next}{" "}
          {nextProbeAt === null ? null : (
            <>
              Next try <RelativeTime at={nextProbeAt} ahead />.
            </>
          )}
        </>
      }
    />
  );
}

function Figures({ destination }: { destination: Destination }) {
  const { state, lastDay, p95Ms, pending, exhausted, lastSuccessAt } = destination;
  const attempts = lastDay.delivered + lastDay.failed;
  return (
    <Panel className="grid grid-cols-2 divide-line rail:grid-cols-4 rail:divide-x">
      <Stat label="Success, last 24 h" value={successRate(destination) ?? "–"} hint={countWords(attempts, "attempt")} />
      <Stat label="p95 response time" value={p95Ms ?? "–"} {...(p95Ms !== null && { unit: "ms" })} hint="of the last 1,000" />
      <Stat
        label={openWord(state)}
        value={pendingWords(pending)}
        hint={
          lastSuccessAt === null ? (
            "none delivered yet"
          ) : (
            <>
              last delivered <RelativeTime at={lastSuccessAt} />
            </>
          )
        }
      />
      <Stat label="Exhausted" value={exhaustedWords(exhausted)} tone={exhausted > 0 ? "failed" : "plain"} hint="no attempts left" />
    </Panel>
  );
}

const settingsOf = (destination: Destination) => [
  { label: "Events", value: selectionWords(destination) },
  ...(destination.filter === null
    ? []
    : [
        {
          label: "Payload filter",
          value: <code className="whitespace-pre-wrap break-all text-12">{writeJson(destination.filter, 2)}</code>,
          block: true,
        },
      ]),
  { label: "Signature", value: MODES[destination.mode].label, hint: MODES[destination.mode].hint },
  ...(destination.mode !== "pass_through" ? [{ label: "Secrets", value: <Secrets destination={destination} /> }] : []),
  { label: "Headers", value: destination.headers.length === 0 ? "None of its own" : <HeaderNames headers={destination.headers} /> },
  { label: "Order", value: destination.ordered ? "Kept for each document, task and run" : "Not kept" },
  { label: "Requests at once", value: destination.concurrency },
  { label: "Requests a second", value: destination.rate ?? "No limit" },
  {
    label: "ID",
    value: (
      <span className="inline-flex items-center gap-1 font-mono text-12">
        {destination.id}
        <CopyButton value={destination.id} label="Copy ID" />
      </span>
    ),
  },
  {
    label: "Created",
    value: <RelativeTime at={destination.createdAt} />,
    ...(destination.createdBy !== null && { hint: `by ${destination.createdBy}` }),
  },
];

function HeaderNames({ headers }: Pick<Destination, "headers">) {
  return (
    <ul>
      {headers.map(({ name }) => (
        <li key={name} className="break-all">
          <code className="text-12">{name}</code> <span className="text-muted">value hidden</span>
        </li>
      ))}
    </ul>
  );
}

function Secrets({ destination: { secrets } }: { destination: Destination }) {
  return (
    <ul>
      {secrets.map(({ id, createdAt, validUntil }) => (
        <li key={id}>
          Created <RelativeTime at={createdAt} />
          {validUntil === null ? null : (
            <>
              , stops signing <RelativeTime at={validUntil} ahead />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

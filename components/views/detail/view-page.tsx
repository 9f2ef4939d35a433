"use client";

import { ResourceId, ResourceName } from "#components/records/resource-id";
import { ViewStateBadge } from "#components/records/view-state-badge";
import { MissingEventNotices } from "#components/shell/navigation/missing-event-notices";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { ErrorState, LoadingState, NothingYet, Refreshing } from "#components/ui/layout/content-states";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { PageHeader } from "#components/ui/layout/page-header";
import { Section } from "#components/ui/layout/section";
import { LinkButton } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { ChangeList } from "#components/views/time/change-list";
import { PastBanner, useMoment } from "#components/views/time/moments";
import { TimeBar } from "#components/views/time/time-bar";
import { fieldLine, isViewKind, KIND_WORDS, stateWord, viewHref } from "#components/views/view-labels";
import { SenderState } from "#components/views/view-table";
import { ApiProblem } from "#lib/client/fetcher";
import { useTimeline, useView } from "#lib/client/queries/views";
import { visible } from "#lib/contracts/api/plain-text";
import { idText } from "#lib/contracts/exact-numbers";
import type { LinkedConnection, ViewDetail, ViewKind } from "#lib/contracts/views";
import { DetailList } from "./detail-list.tsx";
import { EventTimeline } from "./event-timeline.tsx";
import { FAILURE_LABELS } from "./field-labels.tsx";
import { HealthSection, RunSection } from "./kind-sections.tsx";
import { StorySentence } from "./story-sentence.tsx";

export function ViewPage({ kind, id }: { kind: ViewKind; id: string }) {
  const { asOf, since, setMoments } = useMoment();
  const now = useView(kind, id, null);
  const shown = useView(kind, id, asOf);
  const before = useView(kind, id, since, { enabled: since !== null });
  // While a time loads, the page shows the previous one, marked as busy, and without claiming to be the new one.
  const loading = shown.isPlaceholderData;
  return (
    <>
      <ViewHead kind={kind} id={id} label={(shown.data ?? now.data)?.label} view={shown.data} />
      <TimeBar kind={kind} id={id} asOf={asOf} since={since} onChange={setMoments} />
      {asOf === null ? null : (
        <PastBanner asOf={asOf} loading={loading} shown={shown.data} onBack={() => setMoments({ asOf: null, since })} />
      )}
      {since !== null && shown.data && !before.isPending ? (
        <ChangeList before={before.isError ? null : (before.data ?? null)} after={shown.data} since={before.data?.asOf ?? since} />
      ) : null}
      {shown.data ? (
        <Refreshing busy={loading} className="flex flex-col gap-6">
          <ViewBody view={shown.data} />
        </Refreshing>
      ) : shown.isPending ? (
        <LoadingState what={`the ${KIND_WORDS[kind].one}`} />
      ) : (
        <Unavailable kind={kind} error={shown.error} onRetry={() => shown.refetch()} />
      )}
    </>
  );
}

type ViewHeadProps = { kind: ViewKind; id: string; label: string | undefined; view: ViewDetail | undefined };

function ViewHead({ kind, id, label, view }: ViewHeadProps) {
  const named = label !== undefined && label !== id;
  return (
    <PageHeader
      title={<span className="line-clamp-3 wrap-anywhere">{named ? <bdi>{visible(label)}</bdi> : `Unnamed ${KIND_WORDS[kind].one}`}</span>}
      meta={
        <>
          {view ? <ViewStateBadge state={view.state} failed={view.failed} /> : null}
          {view ? <SenderState record={view} /> : null}
          <ResourceId id={id} />
        </>
      }
    />
  );
}

const hasMissingEventRules = (kind: ViewKind): kind is "task" | "document" | "run" =>
  kind === "task" || kind === "document" || kind === "run";

function ViewBody({ view }: { view: ViewDetail }) {
  const { data: timeline } = useTimeline(view.kind, view.id, view.asOf, view.events[0]?.id ?? null);
  return (
    <>
      <FailureNotice view={view} />
      {view.asOf === null && hasMissingEventRules(view.kind) ? <MissingEventNotices kind={view.kind} id={view.id} /> : null}
      <StorySentence view={view} tasks={timeline?.tasks ?? []} />
      <div className="grid gap-x-10 gap-y-8 rail:grid-cols-[minmax(0,1fr)_minmax(280px,360px)]">
        <div className="flex min-w-0 flex-col gap-8">
          <RunSection view={view} />
          <HealthSection view={view} />
          <DetailList view={view} />
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <EventTimeline view={view} timeline={timeline} />
          <RelatedRecords view={view} />
        </div>
      </div>
    </>
  );
}

function Unavailable({ kind, error, onRetry }: { kind: ViewKind; error: unknown; onRetry: () => void }) {
  const { one } = KIND_WORDS[kind];
  if (error instanceof ApiProblem && error.code === "not_found")
    return <NothingYet title={`No events for this ${one} at that time`}>Move the slider to a later time, or go back to latest.</NothingYet>;
  return <ErrorState what={`the ${one}`} error={error} onRetry={onRetry} />;
}

function FailureNotice({ view }: { view: ViewDetail }) {
  if (!view.failed) return null;
  const code = fieldLine(view, "errorCode");
  const message = fieldLine(view, "errorMessage");
  const setBy = view.fields.state?.eventId;
  const source = setBy && !view.forgotten.includes(setBy) ? setBy : undefined;
  const sender = view.fields.source ? "The sender" : "The platform";
  return (
    <ProblemNotice
      what={view.fields.source ? "The sender reported a failure" : FAILURE_LABELS[view.kind]}
      why={message ? `${message}${code && code !== message ? ` (${code})` : ""}` : (code ?? `${sender} gave no reason.`)}
      fix={`Fix it at ${view.fields.source ? "the sender" : "the platform"}. This page updates when the next event comes.`}
      {...(source ? { action: <LinkButton href={`/events/${encodeURIComponent(source)}`}>Open the event</LinkButton> } : {})}
    />
  );
}

const SHOWN_OF_A_KIND = 10;

function RelatedRecords({ view }: { view: ViewDetail }) {
  const related = relatedOf(view);
  const { connection } = view;
  if (related.size === 0 && connection === null) return null;
  const items = [...related].map(([kind, ids]) => ({
    label: isViewKind(kind) ? stateWord(ids.length === 1 ? KIND_WORDS[kind].one : KIND_WORDS[kind].many) : kind,
    value: (
      <ul className="flex flex-col gap-1">
        {ids.slice(0, SHOWN_OF_A_KIND).map((id) => (
          <li key={id}>
            <ResourceName resource={{ id, name: nameOf(view, kind, id) }} href={isViewKind(kind) ? viewHref(kind, id) : null} />
          </li>
        ))}
        {ids.length > SHOWN_OF_A_KIND ? <li className="text-12 text-muted">and {ids.length - SHOWN_OF_A_KIND} more</li> : null}
      </ul>
    ),
  }));
  return (
    <Section title="Related records">
      <KeyValueList items={connection === null ? items : [connectionItem(connection), ...items]} className="border-t border-line" />
    </Section>
  );
}

const connectionItem = ({ id, name }: LinkedConnection) => ({
  label: "Connection",
  value: <TextLink href={`/connections/${id}`}>{name}</TextLink>,
});

function relatedOf(view: ViewDetail): Map<string, string[]> {
  const related = new Map<string, string[]>();
  const add = (kind: string, id: string) => {
    const ids = related.get(kind) ?? [];
    if ((kind === view.kind && id === view.id) || ids.includes(id)) return;
    related.set(kind, [...ids, id]);
  };
  if (view.parent !== null && view.kind === "run") add("automation", view.parent);
  if (view.parent !== null && view.kind === "task") add("pipeline", view.parent);
  const documentId = idText(view.fields.documentId?.value);
  if (view.kind === "task" && documentId !== undefined) add("document", documentId);
  for (const { resources } of view.events) for (const { kind, id } of resources) add(kind, id);
  return related;
}

const nameOf = ({ events, names }: ViewDetail, kind: string, id: string): string | undefined =>
  events.flatMap(({ resources }) => resources).find((each) => each.kind === kind && each.id === id && each.name)?.name ??
  names?.[`${kind}:${id}`];

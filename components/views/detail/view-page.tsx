"use client";

import { ViewStateBadge } from "#components/records/badges/view-state-badge";
import { ResourceId } from "#components/records/resource-id";
import { MissingEventNotices } from "#components/shell/navigation/missing-event-notices";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/layout/empty-state";
import { PageHeader } from "#components/ui/layout/page-header";
import { Refreshing } from "#components/ui/layout/refreshing";
import { DetailList } from "#components/views/detail/detail-list";
import { EventTimeline } from "#components/views/detail/event-timeline";
import { FailureNotice } from "#components/views/detail/failure-notice";
import { HealthSection } from "#components/views/detail/health-section";
import { RelatedRecords } from "#components/views/detail/related-records";
import { RunSection } from "#components/views/detail/run-section";
import { StorySentence } from "#components/views/story/story-sentence";
import { ChangeList } from "#components/views/time/change-list";
import { PastBanner } from "#components/views/time/past-banner";
import { TimeBar } from "#components/views/time/time-bar";
import { useMoment } from "#components/views/time/use-moment";
import { KIND_WORDS } from "#components/views/view-labels";
import { ApiProblem } from "#lib/client/fetch/api-problem";
import { useTimeline, useView } from "#lib/client/queries/views";
import type { ViewDetail, ViewKind } from "#lib/contracts/views";

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
      title={<span className="line-clamp-3 wrap-anywhere">{named ? label : `Unnamed ${KIND_WORDS[kind].one}`}</span>}
      meta={
        <>
          {view ? <ViewStateBadge state={view.state} failed={view.failed} /> : null}
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

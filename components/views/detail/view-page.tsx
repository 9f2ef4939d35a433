"use client";

import { Suspicions } from "#components/shell/suspicions";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/empty-state";
import { PageHeader } from "#components/ui/page-header";
import { ResourceId } from "#components/ui/resource-id";
import { ViewStateBadge } from "#components/ui/view-state-badge";
import { EventTimeline } from "#components/views/detail/event-timeline";
import { FactList } from "#components/views/detail/fact-list";
import { FailureNotice } from "#components/views/detail/failure-notice";
import { HealthSection } from "#components/views/detail/health-section";
import { RelatedRecords } from "#components/views/detail/related-records";
import { RunSection } from "#components/views/detail/run-section";
import { ChangeList } from "#components/views/time/change-list";
import { PastBanner } from "#components/views/time/past-banner";
import { TimeBar } from "#components/views/time/time-bar";
import { useMoment } from "#components/views/time/use-moment";
import { KIND_WORDS } from "#components/views/view-words";
import { ApiProblem } from "#lib/client/api-problem";
import { useView } from "#lib/client/views";
import type { ViewDetail, ViewKind } from "#lib/contracts/views";

/** One record of any kind: what the events make of it, now or as of a moment. It follows the events. */
export function ViewPage({ kind, id }: { kind: ViewKind; id: string }) {
  const { asOf, since, setMoments } = useMoment();
  const now = useView(kind, id, null);
  const shown = useView(kind, id, asOf);
  const before = useView(kind, id, since, { enabled: since !== null });
  return (
    <>
      <ViewHead kind={kind} id={id} label={(shown.data ?? now.data)?.label} view={shown.data} />
      <TimeBar kind={kind} id={id} asOf={asOf} since={since} onChange={setMoments} />
      {asOf === null ? null : (
        <PastBanner asOf={asOf} partial={shown.data?.partial ?? false} onBack={() => setMoments({ asOf: null, since })} />
      )}
      {since !== null && shown.data && !before.isPending ? (
        <ChangeList before={before.isError ? null : (before.data ?? null)} after={shown.data} since={since} />
      ) : null}
      {shown.data ? (
        <ViewBody view={shown.data} />
      ) : shown.isPending ? (
        <LoadingState what={`the ${KIND_WORDS[kind].one}`} />
      ) : (
        <Unread kind={kind} error={shown.error} onRetry={() => shown.refetch()} />
      )}
    </>
  );
}

type ViewHeadProps = { kind: ViewKind; id: string; label: string | undefined; view: ViewDetail | undefined };

/** The name, the id and, where it is known, the state. */
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

/** The kinds that have rules of what must come. */
const isSuspectable = (kind: ViewKind): kind is "task" | "document" | "run" => kind === "task" || kind === "document" || kind === "run";

function ViewBody({ view }: { view: ViewDetail }) {
  return (
    <>
      <FailureNotice view={view} />
      {view.asOf === null && isSuspectable(view.kind) ? <Suspicions kind={view.kind} id={view.id} /> : null}
      <div className="grid gap-x-10 gap-y-8 rail:grid-cols-[minmax(0,1fr)_minmax(280px,360px)]">
        <div className="flex min-w-0 flex-col gap-8">
          <RunSection view={view} />
          <HealthSection view={view} />
          <FactList view={view} />
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <EventTimeline view={view} />
          <RelatedRecords view={view} />
        </div>
      </div>
    </>
  );
}

/** Why there is nothing to show: the log had not heard of it by then, or the answer could not be read. */
function Unread({ kind, error, onRetry }: { kind: ViewKind; error: unknown; onRetry: () => void }) {
  const { one } = KIND_WORDS[kind];
  if (error instanceof ApiProblem && error.code === "not_found")
    return (
      <NothingYet title={`No event had spoken of this ${one} by then`}>Move the slider to a later moment, or go back to now.</NothingYet>
    );
  return <ErrorState what={`the ${one}`} error={error} onRetry={onRetry} />;
}

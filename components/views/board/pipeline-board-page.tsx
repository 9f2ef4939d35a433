"use client";

import { type ReactNode, useRef } from "react";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/empty-state";
import { LinkButton } from "#components/ui/link-button";
import { PageHeader } from "#components/ui/page-header";
import { RelativeTime } from "#components/ui/relative-time";
import { ResourceId } from "#components/ui/resource-id";
import { BoardChanges } from "#components/views/board/board-changes";
import { BoardClock } from "#components/views/board/board-clock";
import { BoardColumn } from "#components/views/board/board-column";
import { useCardMotion } from "#components/views/board/use-card-motion";
import { fieldTime } from "#components/views/field-text";
import { PastBanner } from "#components/views/time/past-banner";
import { TimeBar } from "#components/views/time/time-bar";
import { useMoment } from "#components/views/time/use-moment";
import { eventsHref } from "#components/views/view-words";
import { ApiProblem } from "#lib/client/api-problem";
import { useBoard } from "#lib/client/views";
import type { PipelineBoard } from "#lib/contracts/views";

const frameLook = "-mx-4 flex items-start gap-3 overflow-x-auto rounded-md px-4 pb-2 rail:-mx-6 rail:px-6";

/** A pipeline's board; its cards move as the events arrive, or as a slider goes through time. The plots below it may come later. */
export function PipelineBoardPage({ id, children }: { id: string; children: ReactNode }) {
  const { asOf, since, setMoments } = useMoment();
  const now = useBoard(id, null);
  const shown = useBoard(id, asOf);
  const before = useBoard(id, since, { enabled: since !== null });
  const head = shown.data ?? now.data;
  if (now.isPending) return <LoadingState what="the board" />;
  if (!head) return <ErrorState what="the board" error={now.error} onRetry={() => now.refetch()} />;
  return (
    <BoardClock asOf={asOf}>
      <BoardHead board={head} />
      <TimeBar kind="pipeline" id={id} asOf={asOf} since={since} onChange={setMoments} />
      {asOf === null ? null : (
        <PastBanner asOf={asOf} partial={shown.data?.partial ?? false} onBack={() => setMoments({ asOf: null, since })} />
      )}
      {since !== null && shown.data && !before.isPending ? (
        <BoardChanges before={before.isError ? null : (before.data ?? null)} after={shown.data} since={since} />
      ) : null}
      {shown.data ? <Columns board={shown.data} /> : <Unread error={shown.error} onRetry={() => shown.refetch()} />}
      {asOf === null ? children : null}
    </BoardClock>
  );
}

/** Why there is no board: the log had not heard of the pipeline by then, or the answer could not be read. */
function Unread({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error === null) return <LoadingState what="the board" />;
  if (error instanceof ApiProblem && error.code === "not_found")
    return (
      <NothingYet title="No event had spoken of this pipeline by then">Move the slider to a later moment, or go back to now.</NothingYet>
    );
  return <ErrorState what="the board" error={error} onRetry={onRetry} />;
}

function BoardHead({ board: { pipeline } }: { board: PipelineBoard }) {
  const moved = fieldTime(pipeline, "lastMovedAt");
  return (
    <PageHeader
      title={<span className="line-clamp-3 wrap-anywhere">{pipeline.label === pipeline.id ? "Unnamed pipeline" : pipeline.label}</span>}
      meta={
        <>
          <ResourceId id={pipeline.id} />
          {moved === null ? null : (
            <span className="text-12 text-muted">
              Last move <RelativeTime at={moved} />
            </span>
          )}
        </>
      }
      actions={
        <>
          <LinkButton href={`/tasks?parent=${encodeURIComponent(pipeline.id)}`}>List its tasks</LinkButton>
          <LinkButton href={eventsHref("pipeline", pipeline.id)}>Events</LinkButton>
        </>
      }
    />
  );
}

function Columns({ board }: { board: PipelineBoard }) {
  const frame = useRef<HTMLElement>(null);
  useCardMotion(frame, board);
  if (board.stages.length === 0) return <p className="text-13 text-muted">No event has named a stage of this pipeline yet.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard.
    <section ref={frame} tabIndex={0} aria-label="Board" className={frameLook}>
      {board.stages.map((stage) => (
        <BoardColumn key={stage.name} pipelineId={board.pipeline.id} stage={stage} />
      ))}
    </section>
  );
}

"use client";

import { type ReactNode, useRef } from "react";
import { ErrorState, LoadingState } from "#components/ui/empty-state";
import { LinkButton } from "#components/ui/link-button";
import { PageHeader } from "#components/ui/page-header";
import { RelativeTime } from "#components/ui/relative-time";
import { ResourceId } from "#components/ui/resource-id";
import { BoardColumn } from "#components/views/board/board-column";
import { useCardMotion } from "#components/views/board/use-card-motion";
import { fieldTime } from "#components/views/field-text";
import { eventsHref } from "#components/views/view-words";
import { useBoard } from "#lib/client/views";
import type { PipelineBoard } from "#lib/contracts/views";

const frameLook = "-mx-4 flex items-start gap-3 overflow-x-auto rounded-md px-4 pb-2 rail:-mx-6 rail:px-6";

/** A pipeline's board; its cards move as the events arrive. The plots below it may come later. */
export function PipelineBoardPage({ id, children }: { id: string; children: ReactNode }) {
  const board = useBoard(id);
  if (board.isPending) return <LoadingState what="the board" />;
  if (!board.data) return <ErrorState what="the board" error={board.error} onRetry={() => board.refetch()} />;
  return (
    <>
      <BoardHead board={board.data} />
      <Columns board={board.data} />
      {children}
    </>
  );
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

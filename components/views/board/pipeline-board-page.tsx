"use client";

import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import { FilterRow, useUrlFilter } from "#components/records/filters/filter-row";
import { ResourceId } from "#components/records/resource-id";
import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { ErrorState, LoadingState, NothingYet, Refreshing } from "#components/ui/layout/content-states";
import { PageHeader } from "#components/ui/layout/page-header";
import { LinkButton } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/relative-time";
import { PastBanner, useMoment } from "#components/views/time/moments";
import { TimeBar } from "#components/views/time/time-bar";
import { eventsHref, fieldTime } from "#components/views/view-labels";
import { ApiProblem } from "#lib/client/fetcher";
import { useBoard } from "#lib/client/queries/views";
import { visible } from "#lib/contracts/api/plain-text";
import { BOARD_FILTERS, type BoardFilter } from "#lib/contracts/board-filters";
import type { PipelineBoard } from "#lib/contracts/views";
import { BoardClock, BoardColumn } from "./board-column.tsx";

const BoardChanges = lazyComponent(() => import("./board-changes.tsx").then((module) => module.BoardChanges));

const frameLook = "-mx-4 flex items-start gap-3 overflow-x-auto rounded-md px-4 pb-2 rail:-mx-6 rail:px-6";

export function PipelineBoardPage({ id, children }: { id: string; children: ReactNode }) {
  const { asOf, since, setMoments } = useMoment();
  const { filter, setFilter } = useUrlFilter(BOARD_FILTERS);
  const now = useBoard(id, null, filter);
  const shown = useBoard(id, asOf, filter);
  const before = useBoard(id, since, filter, { enabled: since !== null });
  // While a time loads, the page shows the previous one, marked as busy, and without claiming to be the new one.
  const loading = shown.isPlaceholderData;
  const head = shown.data ?? now.data;
  if (now.isPending) return <LoadingState what="the board" />;
  if (!head) return <ErrorState what="the board" error={now.error} onRetry={() => now.refetch()} />;
  return (
    <BoardClock asOf={loading ? (shown.data?.asOf ?? null) : asOf}>
      <BoardHead board={head} />
      <TimeBar kind="pipeline" id={id} asOf={asOf} since={since} onChange={setMoments} />
      {asOf === null ? null : (
        <PastBanner asOf={asOf} loading={loading} shown={shown.data} onBack={() => setMoments({ asOf: null, since })} />
      )}
      {since !== null && shown.data && !before.isPending ? (
        <BoardChanges before={before.isError ? null : (before.data ?? null)} after={shown.data} since={before.data?.asOf ?? since} />
      ) : null}
      <FilterRow
        what="tasks of this board"
        filters={BOARD_FILTERS}
        filter={filter}
        onChange={setFilter}
        options={{ assignees: head.assignees.map((name) => ({ value: name, label: name })) }}
      />
      {shown.data ? (
        <Refreshing busy={loading}>
          <Columns board={shown.data} filter={filter} />
        </Refreshing>
      ) : (
        <Unavailable error={shown.error} onRetry={() => shown.refetch()} />
      )}
      {asOf === null ? children : null}
    </BoardClock>
  );
}

function Unavailable({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error === null) return <LoadingState what="the board" />;
  if (error instanceof ApiProblem && error.code === "not_found")
    return <NothingYet title="No events for this pipeline at that time">Move the slider to a later time, or go back to latest.</NothingYet>;
  return <ErrorState what="the board" error={error} onRetry={onRetry} />;
}

function BoardHead({ board: { pipeline } }: { board: PipelineBoard }) {
  const moved = fieldTime(pipeline, "lastMovedAt");
  return (
    <PageHeader
      title={
        <span className="line-clamp-3 wrap-anywhere">
          {pipeline.label === pipeline.id ? "Unnamed pipeline" : <bdi>{visible(pipeline.label)}</bdi>}
        </span>
      }
      meta={
        <>
          <ResourceId id={pipeline.id} />
          {pipeline.fieldsLeftOut ? (
            <span className="text-12 text-muted">More than 200 stages: showing the first 200 by name, and those with tasks</span>
          ) : null}
          {moved === null ? null : (
            <span className="text-12 text-muted">
              Last moved <RelativeTime at={moved} />
            </span>
          )}
        </>
      }
      actions={
        <>
          <LinkButton href={`/tasks?parent=${encodeURIComponent(pipeline.id)}`}>View tasks</LinkButton>
          <LinkButton href={eventsHref("pipeline", pipeline.id)}>Events</LinkButton>
        </>
      }
    />
  );
}

function Columns({ board, filter }: { board: PipelineBoard; filter: BoardFilter }) {
  const frame = useRef<HTMLElement>(null);
  useCardMotion(frame, board);
  if (board.stages.length === 0) return <p className="text-13 text-muted">No stages yet.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard.
    <section ref={frame} tabIndex={0} aria-label="Board" className={frameLook}>
      {board.stages.map((stage) => (
        <BoardColumn key={stage.name} pipelineId={board.pipeline.id} stage={stage} filter={filter} />
      ))}
    </section>
  );
}

const MOTION_MS = 140;

type Place = { left: number; top: number; column: string };

/** Animates cards that changed column and fades in new ones. `board` contains elements with `data-card` (task ID) and `data-column`. */
function useCardMotion(board: RefObject<HTMLElement | null>, cards: unknown): void {
  const places = useRef<Map<string, Place> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect measures what is drawn, whenever the cards change.
  useLayoutEffect(() => {
    if (!board.current) return;
    const before = places.current;
    const origin = board.current.getBoundingClientRect();
    const now = new Map<string, Place>();
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const card of board.current.querySelectorAll<HTMLElement>("[data-card]")) {
      const { left, top } = card.getBoundingClientRect();
      const place = {
        left: left - origin.left + board.current.scrollLeft,
        top: top - origin.top,
        column: card.dataset.column ?? "",
      };
      const key = card.dataset.card ?? "";
      now.set(key, place);
      if (before && !still) move(card, before.get(key), place);
    }
    places.current = now;
  }, [board, cards]);
}

function move(card: HTMLElement, from: Place | undefined, to: Place) {
  const timing = { duration: MOTION_MS, easing: "cubic-bezier(0.2, 0, 0, 1)" };
  if (!from) card.animate([{ opacity: 0 }, { opacity: 1 }], timing);
  else if (from.column !== to.column)
    card.animate([{ transform: `translate(${from.left - to.left}px, ${from.top - to.top}px)` }, { transform: "none" }], timing);
}

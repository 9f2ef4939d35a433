import { notFound } from "next/navigation";
import { Suspense } from "react";
import { Prefetched, PrefetchedPage } from "#components/shell/prefetched";
import { PipelineBoardPage } from "#components/views/board/pipeline-board-page";
import { Throughput } from "#components/views/board/throughput";
import { requireActor } from "#lib/auth/require-actor";
import { viewKeys } from "#lib/client/queries/keys";
import { readFilter } from "#lib/client/url-filter";
import { isDay, isMoment } from "#lib/contracts/api/bounds";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { BOARD_FILTERS } from "#lib/contracts/board-filters";
import { type ChartRange, chartRange } from "#lib/contracts/events/event-times";
import { readMoments } from "#lib/flows/views/read-as-of";
import { readBoard, readBoardAsOf, readThroughput } from "#lib/flows/views/read-board";
import { recordId, searchParamsOf } from "../../page-url.ts";
import { type RecordProps, recordMetadata } from "../../record-metadata.ts";

export const generateMetadata = (props: RecordProps) => recordMetadata("pipeline", props);

export default async function PipelinePage({ params, searchParams }: RecordProps) {
  const actor = await requireActor("views.read");
  const id = recordId((await params).id);
  const said = await searchParams;
  const filter = readFilter(BOARD_FILTERS, searchParamsOf(said));
  const [board, moments] = await Promise.all([readBoard(actor.workspaceId, id, filter), readMoments(actor.workspaceId, "pipeline", id)]);
  if (!board) notFound();
  const entries: [readonly unknown[], unknown][] = [
    [viewKeys.board(id, null, filter), board],
    [viewKeys.moments("pipeline", id), moments],
  ];
  const { asOf, range } = said;
  if (typeof asOf === "string" && (isMoment(asOf) || isDay(asOf))) {
    const then = await readBoardAsOf(actor.workspaceId, id, asOf, filter);
    if (then) entries.push([viewKeys.board(id, asOf, filter), then]);
  }
  return (
    <PrefetchedPage entries={entries}>
      <PipelineBoardPage id={id}>
        <Suspense fallback={null}>
          <PipelineThroughput workspaceId={actor.workspaceId} id={id} range={chartRange.safeParse(range).data ?? "24h"} />
        </Suspense>
      </PipelineBoardPage>
    </PrefetchedPage>
  );
}

/** Streamed after the board: counting a day's moves may take longer than the cards should wait. */
async function PipelineThroughput({ workspaceId, id, range }: { workspaceId: WorkspaceId; id: string; range: ChartRange }) {
  const throughput = await readThroughput(workspaceId, id, new Date(), range);
  return (
    <Prefetched entries={[[viewKeys.throughput(id, range), throughput]]}>
      <Throughput id={id} />
    </Prefetched>
  );
}

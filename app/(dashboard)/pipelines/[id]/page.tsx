import { notFound } from "next/navigation";
import { Suspense } from "react";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/page-body";
import { PipelineBoardPage } from "#components/views/board/pipeline-board-page";
import { Throughput } from "#components/views/board/throughput";
import { requireActor } from "#lib/auth/require-actor";
import { viewKeys } from "#lib/client/view-keys";
import type { WorkspaceId } from "#lib/contracts/ids";
import { readMoments } from "#lib/flows/read-as-of";
import { readBoard, readThroughput } from "#lib/flows/read-board";
import { readBoardAsOf } from "#lib/flows/read-board-as-of";
import { recordId } from "../../record-id.ts";
import { type RecordProps, recordMetadata } from "../../view-pages.tsx";

export const generateMetadata = (props: RecordProps) => recordMetadata("pipeline", props);

/** A pipeline's board: its stages with the tasks on each. */
export default async function PipelinePage({ params, searchParams }: RecordProps) {
  const actor = await requireActor("views.read");
  const id = recordId((await params).id);
  const [board, moments] = await Promise.all([readBoard(actor.workspaceId, id), readMoments(actor.workspaceId, "pipeline", id)]);
  if (!board) notFound();
  const entries: [readonly unknown[], unknown][] = [
    [viewKeys.board(id, null), board],
    [viewKeys.moments("pipeline", id), moments],
  ];
  const { asOf } = await searchParams;
  if (typeof asOf === "string" && !Number.isNaN(Date.parse(asOf))) {
    const then = await readBoardAsOf(actor.workspaceId, id, asOf);
    if (then) entries.push([viewKeys.board(id, asOf), then]);
  }
  return (
    <PageBody>
      <Prefetched entries={entries}>
        <PipelineBoardPage id={id}>
          <Suspense fallback={null}>
            <PipelineThroughput workspaceId={actor.workspaceId} id={id} />
          </Suspense>
        </PipelineBoardPage>
      </Prefetched>
    </PageBody>
  );
}

/** Drawn on the server too, but behind the board: counting a day's moves may take longer than the cards should wait. */
async function PipelineThroughput({ workspaceId, id }: { workspaceId: WorkspaceId; id: string }) {
  const throughput = await readThroughput(workspaceId, id, new Date());
  return (
    <Prefetched entries={[[viewKeys.throughput(id), throughput]]}>
      <Throughput id={id} />
    </Prefetched>
  );
}

import { notFound } from "next/navigation";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/page-body";
import { PipelineBoardPage } from "#components/views/board/pipeline-board-page";
import { requireActor } from "#lib/auth/require-actor";
import { viewKeys } from "#lib/client/view-keys";
import { readBoard } from "#lib/flows/read-view";
import { recordId } from "../../record-id.ts";
import { type RecordProps, recordMetadata } from "../../view-pages.tsx";

export const generateMetadata = (props: RecordProps) => recordMetadata("pipeline", props);

/** A pipeline's board: its stages with the tasks on each. */
export default async function PipelinePage({ params }: RecordProps) {
  const actor = await requireActor("views.read");
  const id = recordId((await params).id);
  const board = await readBoard(actor.workspaceId, id);
  if (!board) notFound();
  return (
    <PageBody>
      <Prefetched entries={[[viewKeys.board(id), board]]}>
        <PipelineBoardPage id={id} />
      </Prefetched>
    </PageBody>
  );
}

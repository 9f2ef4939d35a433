import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/layout/page-header";
import { ViewPage } from "#components/views/detail/view-page";
import { KIND_WORDS } from "#components/views/view-labels";
import { requireActor } from "#lib/auth/require-actor";
import { viewKeys } from "#lib/client/queries/keys";
import { AppError } from "#lib/contracts/api/app-error";
import { isDay, isMoment } from "#lib/contracts/api/bounds";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewKind } from "#lib/contracts/views";
import { readMoments } from "#lib/flows/views/read-as-of";
import { readTimeline } from "#lib/flows/views/read-timeline";
import { readView } from "#lib/flows/views/read-views";
import { recordId, type SearchParams } from "./page-url.ts";

export type RecordProps = { params: Promise<{ id: string }>; searchParams: SearchParams };

/** The page and its title need the same record. */
const readNow = cache((workspaceId: WorkspaceId, kind: ViewKind, id: string) => readView(workspaceId, kind, id, null));

/** A moment that can't be parsed is left to the browser's own request, whose response says what is wrong. */
export async function viewRecordPage(kind: ViewKind, props: RecordProps) {
  const actor = await requireActor("views.read");
  const id = recordId((await props.params).id);
  const { asOf } = await props.searchParams;
  const [now, moments] = await Promise.all([readNow(actor.workspaceId, kind, id), readMoments(actor.workspaceId, kind, id)]);
  if (!now) notFound();
  const entries: [readonly unknown[], unknown][] = [
    [viewKeys.one(kind, id, null), now],
    [viewKeys.moments(kind, id), moments],
  ];
  const timeline = await readTimeline(actor.workspaceId, kind, id, null).catch(unlessExpected);
  if (timeline) entries.push([viewKeys.timeline(kind, id, null, now.events[0]?.id ?? null), timeline]);
  if (typeof asOf === "string" && (isMoment(asOf) || isDay(asOf))) {
    const then = await readView(actor.workspaceId, kind, id, asOf);
    if (then) entries.push([viewKeys.one(kind, id, asOf), then]);
  }
  return (
    <PageBody>
      <Prefetched entries={entries}>
        <ViewPage kind={kind} id={id} />
      </Prefetched>
    </PageBody>
  );
}

function unlessExpected(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}

export async function recordMetadata(kind: ViewKind, { params }: RecordProps): Promise<Metadata> {
  const actor = await requireActor("views.read");
  const id = recordId((await params).id);
  const record = await readNow(actor.workspaceId, kind, id);
  const named = record !== null && record.label !== id;
  return { title: `${(named ? record.label : id).slice(0, 60)} · ${KIND_WORDS[kind].one}` };
}

import { notFound } from "next/navigation";
import { PrefetchedPage } from "#components/shell/prefetched";
import { ViewPage } from "#components/views/detail/view-page";
import { requireActor } from "#lib/auth/require-actor";
import { viewKeys } from "#lib/client/queries/keys";
import { AppError } from "#lib/contracts/api/app-error";
import { isDay, isMoment } from "#lib/contracts/api/bounds";
import type { ViewKind } from "#lib/contracts/views";
import { readMoments } from "#lib/flows/views/read-as-of";
import { readTimeline } from "#lib/flows/views/read-timeline";
import { readView } from "#lib/flows/views/read-views";
import { recordId } from "./page-url.ts";
import { type RecordProps, readNow } from "./record-metadata.ts";

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
    <PrefetchedPage entries={entries}>
      <ViewPage kind={kind} id={id} />
    </PrefetchedPage>
  );
}

function unlessExpected(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}

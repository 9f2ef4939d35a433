import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/page-body";
import { PageHeader } from "#components/ui/page-header";
import { ViewPage } from "#components/views/detail/view-page";
import { ViewList } from "#components/views/list/view-list";
import { KIND_WORDS } from "#components/views/view-words";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { filterFrom, viewKeys } from "#lib/client/view-keys";
import { env } from "#lib/config/env";
import { type ViewKind, viewQuery } from "#lib/contracts/views";
import { listViewPage } from "#lib/flows/list-view-page";
import { readMoments } from "#lib/flows/read-as-of";
import { readView } from "#lib/flows/read-view";
import { recordId } from "./record-id.ts";

type Query = Record<string, string | string[] | undefined>;
export type ListProps = { searchParams: Promise<Query> };
export type RecordProps = { params: Promise<{ id: string }>; searchParams: Promise<Query> };

/** The page that lists a kind; its first rows come with the page. */
export async function viewListPage(kind: ViewKind, { searchParams }: ListProps) {
  const actor = await requireActor("views.read");
  const query = await searchParams;
  const filter = filterFrom((name) => query[name]);
  const page = await listViewPage(actor.workspaceId, kind, viewQuery.parse(filter));
  return (
    <PageBody>
      <PageHeader title={KIND_WORDS[kind].title} description={KIND_WORDS[kind].about} />
      <Prefetched entries={[[viewKeys.list(kind, filter), { pages: [page], pageParams: [null] }]]}>
        <ViewList kind={kind} sandbox={env().sandboxOn && can(actor.role, "sandbox.use")} />
      </Prefetched>
    </PageBody>
  );
}

/** The page of one record. A moment that cannot be read is left to the browser's own request, whose answer says what is wrong. */
export async function viewRecordPage(kind: ViewKind, props: RecordProps) {
  const actor = await requireActor("views.read");
  const id = recordId((await props.params).id);
  const { asOf } = await props.searchParams;
  const [now, moments] = await Promise.all([readView(actor.workspaceId, kind, id, null), readMoments(actor.workspaceId, kind, id)]);
  if (!now) notFound();
  const entries: [readonly unknown[], unknown][] = [
    [viewKeys.one(kind, id, null), now],
    [viewKeys.moments(kind, id), moments],
  ];
  if (typeof asOf === "string" && !Number.isNaN(Date.parse(asOf))) {
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

/** The title of a record's page: the kind and the id, which is known without asking the log. */
export async function recordMetadata(kind: ViewKind, { params }: RecordProps): Promise<Metadata> {
  const { one } = KIND_WORDS[kind];
  return { title: `${one.charAt(0).toUpperCase()}${one.slice(1)} ${recordId((await params).id).slice(0, 60)}` };
}

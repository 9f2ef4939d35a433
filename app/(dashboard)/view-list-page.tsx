import { Prefetched } from "#components/shell/prefetched";
import { PageBody, PageHeader } from "#components/ui/layout/page-header";
import { KIND_WORDS } from "#components/views/view-labels";
import { ViewList } from "#components/views/view-list";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { viewKeys } from "#lib/client/queries/keys";
import { readFilter } from "#lib/client/url-filter";
import { env } from "#lib/config/env";
import { shownFilter, VIEW_FILTERS } from "#lib/contracts/list-filters";
import type { ViewKind } from "#lib/contracts/views";
import { listDocumentSources } from "#lib/flows/sources/read-sources";
import { countViewsOf, listViewPage } from "#lib/flows/views/read-views";
import { type SearchParams, searchParamsOf } from "./page-url.ts";

const ROWS = 50;

export type ListProps = { searchParams: SearchParams };

export async function viewListPage(kind: ViewKind, { searchParams }: ListProps) {
  const actor = await requireActor("views.read");
  const params = searchParamsOf(await searchParams);
  const filter = shownFilter(kind, readFilter(VIEW_FILTERS, params));
  const order = params.get("order") === "asc" ? "asc" : "desc";
  const [page, count, sources] = await Promise.all([
    listViewPage(actor.workspaceId, kind, { ...filter, limit: ROWS, order }),
    countViewsOf(actor.workspaceId, kind, filter),
    kind === "document" ? listDocumentSources(actor.workspaceId) : [],
  ]);
  return (
    <PageBody>
      <PageHeader title={KIND_WORDS[kind].title} description={KIND_WORDS[kind].about} />
      <Prefetched
        entries={[
          [viewKeys.list(kind, filter, order), { pages: [page], pageParams: [null] }],
          [viewKeys.count(kind, filter), { count }],
        ]}
      >
        <ViewList kind={kind} sources={sources} sandbox={env().sandboxOn && can(actor.role, "sandbox.use")} />
      </Prefetched>
    </PageBody>
  );
}

import type { WorkspaceId } from "#lib/contracts/ids";
import type { Page } from "#lib/contracts/paging";
import type { ViewKind, ViewQuery, ViewRecord } from "#lib/contracts/views";
import { countByParent } from "#lib/views/child-count-store";
import { listViews } from "#lib/views/view-list-store";

const COUNTED: Partial<Record<ViewKind, ViewKind>> = { pipeline: "task", automation: "run" };

/** A page of views of a kind, the newest event first; pipelines and automations with the counts of what is under them. */
export async function listViewPage(workspaceId: WorkspaceId, kind: ViewKind, query: ViewQuery): Promise<Page<ViewRecord>> {
  const page = await listViews(workspaceId, kind, query);
  const childKind = COUNTED[kind];
  if (!childKind) return page;
  const counts = await countByParent(
    workspaceId,
    childKind,
    page.data.map(({ id }) => id),
  );
  return { ...page, data: page.data.map((record) => ({ ...record, childStates: counts.get(record.id) ?? {} })) };
}

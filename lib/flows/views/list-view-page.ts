import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/paging";
import type { ViewKind, ViewQuery, ViewRecord } from "#lib/contracts/views";
import { nameReferences } from "#lib/flows/views/name-records";
import { countByParent, listViews } from "#lib/views/view-list-store";

const COUNTED: Partial<Record<ViewKind, ViewKind>> = { pipeline: "task", automation: "run" };

export async function listViewPage(workspaceId: WorkspaceId, kind: ViewKind, query: ViewQuery): Promise<Page<ViewRecord>> {
  const found = await listViews(workspaceId, kind, query);
  const page = { ...found, data: await nameReferences(workspaceId, found.data) };
  const childKind = COUNTED[kind];
  if (!childKind) return page;
  const counts = await countByParent(
    workspaceId,
    childKind,
    page.data.map(({ id }) => id),
  );
  return { ...page, data: page.data.map((record) => ({ ...record, childStates: counts.get(record.id) ?? {} })) };
}

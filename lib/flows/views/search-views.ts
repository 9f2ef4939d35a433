import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewRecord, ViewSearch, ViewSearchResult } from "#lib/contracts/views";
import { findContaining, findResembling } from "#lib/views/search-store";

const MAX_FOUND = 12;

/** Finds records by name or ID, the best match first. Without an exact match: those that differ by one slip a word. */
export async function searchViews(workspaceId: WorkspaceId, q: string): Promise<ViewSearch> {
  const containing = await findContaining(workspaceId, q);
  if (containing === null) return { data: [], approximate: false, complete: false };
  if (containing.length > 0) return { data: bestFirst(containing, q), approximate: false, complete: true };
  const resembling = await findResembling(workspaceId, q);
  return { data: bestFirst(resembling ?? [], q), approximate: (resembling ?? []).length > 0, complete: resembling !== null };
}

function bestFirst(records: ViewRecord[], q: string): ViewSearchResult[] {
  const typed = q.trim().toLowerCase();
  const score = ({ id, label }: ViewRecord) => {
    const names = [label.toLowerCase(), id.toLowerCase()];
    if (names.includes(typed)) return 0;
    return names.some((name) => name.startsWith(typed)) ? 1 : 2;
  };
  return records
    .sort((a, b) => score(a) - score(b) || Date.parse(b.lastEventAt) - Date.parse(a.lastEventAt))
    .slice(0, MAX_FOUND)
    .map(({ kind, id, label, state, failed, lastEventAt }) => ({ kind, id, label, state, failed, lastEventAt }));
}

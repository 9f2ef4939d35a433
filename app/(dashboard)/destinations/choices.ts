import type { WorkspaceId } from "#lib/contracts/api/ids";
import { EVENT_CATALOGUE } from "#lib/platform/event-catalogue";
import { listSources } from "#lib/sources/source-store";

export async function listChoices(workspaceId: WorkspaceId): Promise<{ types: string[]; sources: string[] }> {
  const sources = await listSources(workspaceId);
  return { types: Object.keys(EVENT_CATALOGUE), sources: sources.map(({ name }) => name) };
}

import type { WorkspaceId } from "#lib/contracts/api/ids";
import { listLogTypes } from "#lib/events/search/log-types-store";
import { EVENT_CATALOGUE } from "#lib/platform/event-catalogue";
import { listSources } from "#lib/sources/source-store";

/** Types: the platform's, and those of other senders, as the log holds them. */
export async function listChoices(workspaceId: WorkspaceId): Promise<{ types: string[]; sources: string[] }> {
  const [sources, held] = await Promise.all([listSources(workspaceId), listLogTypes(workspaceId)]);
  return { types: [...new Set([...Object.keys(EVENT_CATALOGUE), ...(held ?? [])])], sources: sources.map(({ name }) => name) };
}

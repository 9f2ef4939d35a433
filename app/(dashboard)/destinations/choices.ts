import type { WorkspaceId } from "#lib/contracts/api/ids";
import { listKnownTypes } from "#lib/events/search/log-types-store";
import { listSources } from "#lib/sources/source-store";

export async function listChoices(workspaceId: WorkspaceId): Promise<{ types: string[]; sources: string[] }> {
  const [sources, types] = await Promise.all([listSources(workspaceId), listKnownTypes(workspaceId)]);
  return { types, sources: sources.map(({ name }) => name) };
}

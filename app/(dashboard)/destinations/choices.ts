import type { WorkspaceId } from "#lib/contracts/api/ids";
import { listKnownTypes } from "#lib/events/search/log-types-store";
import { listSourceNames } from "#lib/sources/source-store";

export async function listChoices(workspaceId: WorkspaceId): Promise<{ types: string[]; sources: string[] }> {
  const [names, types] = await Promise.all([listSourceNames(workspaceId), listKnownTypes(workspaceId)]);
  return { types, sources: [...names.values()] };
}

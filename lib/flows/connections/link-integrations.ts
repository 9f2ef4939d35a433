import { type LinkCandidate, listLinkCandidates } from "#lib/connections/platform-notice-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { LinkedIntegration } from "#lib/contracts/connections";
import type { LinkedConnection, ViewRecord } from "#lib/contracts/views";
import { chooseConnection } from "#lib/platform/integration-notice";
import { listViews } from "#lib/views/view-list-store";

/** Only the integrations with the newest events are considered. */
const LOOKED_AT = 100;
const SHOWN = 10;

/** Finds an integration's connection by the same rule as its events; null when unknown. */
export async function findConnectionOf(workspaceId: WorkspaceId, integration: ViewRecord): Promise<LinkedConnection | null> {
  const chosen = choose(await listLinkCandidates(workspaceId), integration);
  return chosen && { id: chosen.id, name: chosen.name };
}

/** Lists the integrations of a connection, newest event first; at most 10. */
export async function listIntegrationsOf(workspaceId: WorkspaceId, connectionId: string): Promise<LinkedIntegration[]> {
  const candidates = await listLinkCandidates(workspaceId);
  const { data } = await listViews(workspaceId, "integration", { limit: LOOKED_AT });
  const belonging = data.filter((integration) => choose(candidates, integration)?.id === connectionId);
  return belonging.slice(0, SHOWN).map(({ id, label }) => ({ id, label }));
}

/** Matches a disconnected integration by the platform's ID alone. */
function choose(candidates: LinkCandidate[], { id, fields }: ViewRecord): LinkCandidate | null {
  const account = fields.account?.value;
  const possible = candidates.filter((each) => each.linked || each.integrationId === id);
  return chooseConnection(possible, { integrationId: id, account: typeof account === "string" ? account : null });
}

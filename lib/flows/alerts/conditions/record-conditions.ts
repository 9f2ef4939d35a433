import type { AlertCondition } from "#lib/alerts/episode-store";
import { listLostConnections } from "#lib/connections/connection-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { listSilentSources } from "#lib/missing-events/missing-event-store";
import { listSources } from "#lib/sources/source-store";

export async function connectionConditions(): Promise<AlertCondition[]> {
  return (await listLostConnections()).map(({ workspaceId, id, name }) => ({
    ...{ workspaceId, rule: "connection", subject: id, path: `/connections/${id}`, action: "Reconnect", count: null, unit: null },
    title: `${name} needs to be reconnected`,
    detail: "Access has ended, and Signalbox can't renew it. Reconnect the account.",
  }));
}

export async function silentSourceConditions(): Promise<AlertCondition[]> {
  const silent = await listSilentSources();
  const names = await sourceNames([...new Set(silent.map(({ workspaceId }) => workspaceId))]);
  return silent.map(({ workspaceId, sourceId, detail }) => ({
    ...{ workspaceId, rule: "source_silent", subject: sourceId, path: "/missing-events?rule=source_silent", action: "View missing events" },
    title: `The source ${names.get(sourceId) ?? sourceId} is silent`,
    detail: `It has sent nothing for much longer than usual. ${detail}`.trim(),
    count: null,
    unit: null,
  }));
}

async function sourceNames(workspaceIds: WorkspaceId[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const workspaceId of workspaceIds) for (const { id, name } of await listSources(workspaceId)) names.set(id, name);
  return names;
}

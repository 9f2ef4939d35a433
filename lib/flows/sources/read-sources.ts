import { env } from "#lib/config/env";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Source } from "#lib/contracts/auth/settings";
import { listLastArrivals } from "#lib/events/source-arrival-store";
import { listSources } from "#lib/sources/source-store";

/** The workspace's sources with the address that the platform posts to. */
export async function readSources(workspaceId: WorkspaceId): Promise<Source[]> {
  const [sources, arrivals] = await Promise.all([listSources(workspaceId), listLastArrivals(workspaceId)]);
  return sources.map(({ id, name, secrets }) => ({
    id,
    name,
    url: `${env().WEBHOOK_URL}/webhooks/${name}`,
    secrets: secrets.map((secret) => ({
      id: secret.id,
      createdAt: secret.createdAt.toISOString(),
      validUntil: secret.validUntil?.toISOString() ?? null,
    })),
    lastEventAt: arrivals.get(id)?.toISOString() ?? null,
  }));
}

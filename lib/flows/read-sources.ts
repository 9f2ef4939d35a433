import { env } from "#lib/config/env";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { Source } from "#lib/contracts/settings";
import { listSources } from "#lib/events/source-store";

/** The workspace's sources with the address that the platform posts to. */
export async function readSources(workspaceId: WorkspaceId): Promise<Source[]> {
  const sources = await listSources(workspaceId);
  return sources.map(({ id, name, secrets, lastEventAt }) => ({
    id,
    name,
    url: `${env().APP_URL}/webhooks/${name}`,
    secrets: secrets.map((secret) => ({
      id: secret.id,
      createdAt: secret.createdAt.toISOString(),
      validUntil: secret.validUntil?.toISOString() ?? null,
    })),
    lastEventAt: lastEventAt?.toISOString() ?? null,
  }));
}

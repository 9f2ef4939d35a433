import { ensureApiKey } from "#lib/auth/api-key-store";
import type { Env } from "#lib/config/env";
import type { WorkspaceId } from "#lib/contracts/ids";
import { ensureSource } from "#lib/events/source-store";

/** Gives the first workspace what the environment promises: its webhook source and, where named, its API key. */
export async function furnishWorkspace(workspaceId: WorkspaceId, env: Env): Promise<void> {
  await ensureSource(workspaceId, env.WEBHOOK_SOURCE, env.WEBHOOK_SECRET);
  if (env.INIT_API_KEY) await ensureApiKey(workspaceId, env.INIT_API_KEY);
}

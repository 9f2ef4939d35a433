import { ensureApiKey } from "#lib/auth/api-keys/api-key-store";
import { insertAudit } from "#lib/auth/audit/audit-store";
import type { Env } from "#lib/config/env";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type EnsureOptions, ensureSource } from "#lib/sources/source-store";

/** Actor in the audit log of changes made at the start. */
const START = { kind: "system", id: null, name: "Startup", credential: null } as const;

/**
 * Gives the first workspace what the environment names: its webhook source and, if set, its API key.
 *
 * @param secretGiven whether WEBHOOK_SECRET came from the environment. A generated one is only the first secret of a
 *   source that has none; it never replaces a secret
 */
export async function provisionWorkspace(workspaceId: WorkspaceId, env: Env, secretGiven: boolean, now: Date): Promise<void> {
  const { WEBHOOK_SOURCE, WEBHOOK_SECRET, INIT_API_KEY } = env;
  const onAdded = recordAdded(workspaceId);
  await ensureSource(workspaceId, WEBHOOK_SOURCE, secretGiven ? WEBHOOK_SECRET : undefined, { first: WEBHOOK_SECRET, onAdded, now });
  const keyId = INIT_API_KEY ? await ensureApiKey(workspaceId, INIT_API_KEY) : null;
  if (keyId === null) return;
  const target = { kind: "key", id: keyId, name: "INIT_API_KEY" };
  await insertAudit(workspaceId, { action: "key.created", who: START, target, after: { role: "admin" } });
}

const recordAdded =
  (workspaceId: WorkspaceId): NonNullable<EnsureOptions["onAdded"]> =>
  ({ id, sourceId, sourceName, previousValidUntil }, client) =>
    insertAudit(
      workspaceId,
      {
        action: "secret.added",
        who: START,
        target: { kind: "source", id: sourceId, name: sourceName },
        after: { id, previousValidUntil },
      },
      client,
    );

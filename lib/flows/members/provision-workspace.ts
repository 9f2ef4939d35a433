import { ensureApiKey } from "#lib/auth/api-keys/api-key-store";
import { insertAudit } from "#lib/auth/audit/audit-store";
import type { Env } from "#lib/config/env";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type EnsureOptions, ensureSource } from "#lib/sources/source-store";

const START = { kind: "system", id: null, name: "Startup", credential: null } as const;

/** Gives the first workspace the environment's source and API key.
 * @param secretGiven false for a generated WEBHOOK_SECRET: it never replaces a secret */
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

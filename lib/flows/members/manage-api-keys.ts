import type * as z from "zod/mini";
import type { Actor } from "#lib/auth/actor";
import { insertApiKeyFor, revokeApiKey } from "#lib/auth/api-key-store";
import type { Audit } from "#lib/auth/audit/audit";
import { AppError, invalidField } from "#lib/contracts/api/app-error";
import type { createApiKeyBody, createdApiKey } from "#lib/contracts/auth/settings";

/** Creates an API key, whose text is returned once and kept nowhere. @throws AppError `invalid_request` when it would have expired */
export async function createApiKey(
  actor: Actor,
  { name, role, expiresAt }: z.infer<typeof createApiKeyBody>,
  now: Date,
  audit: Audit,
): Promise<z.infer<typeof createdApiKey>> {
  const end = expiresAt ? new Date(expiresAt) : null;
  if (end && end <= now) throw invalidField("expiresAt", "must be in the future.");
  const created = await insertApiKeyFor(actor, { name, role, expiresAt: end });
  await audit.record({
    action: "key.created",
    target: { kind: "key", id: created.id, name },
    after: { name, role, expiresAt: created.expiresAt },
  });
  return created;
}

/** @throws AppError `not_found` when the workspace has no such active key */
export async function endApiKey({ workspaceId }: Actor, id: string, now: Date, audit: Audit): Promise<void> {
  const revoked = await revokeApiKey(workspaceId, id, now);
  if (!revoked) throw new AppError("not_found", "There is no API key with that ID, or it was already revoked.");
  const { name, role, createdAt, lastUsedAt, expiresAt } = revoked;
  const target = { kind: "key", id, name };
  await audit.record({ action: "key.revoked", target, before: { name, role, createdAt, lastUsedAt, expiresAt } });
}

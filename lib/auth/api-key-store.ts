import { newId, type WorkspaceId } from "#lib/contracts/ids";
import type { ApiKey, Role } from "#lib/contracts/settings";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { hashToken } from "#lib/vault/opaque-token";
import { hintOf, newApiKey } from "./api-key.ts";
import { rightsChanged } from "./session-store.ts";

const TOUCH_EVERY_MS = 60_000;

/** A working key with the workspace that it opens. */
export type LiveKey = { keyId: string; name: string; role: Role; workspaceId: WorkspaceId; workspaceName: string };

type NewKey = { name: string; role: Role; createdBy: string | null; expiresAt?: Date | null; key?: string };

/**
 * Makes an API key.
 *
 * @param expiresAt null or absent: it works until it is revoked
 * @param key the key itself when the environment gives it; else a new one is made
 * @returns what lists show of it, and the key, which can't be had again
 */
export async function insertApiKey(workspaceId: WorkspaceId, { name, role, createdBy, expiresAt = null, key = newApiKey() }: NewKey) {
  const row = await prisma().apiKey.create({
    data: { id: newId("key"), workspaceId, name, role, createdBy, expiresAt, hint: hintOf(key), keyHash: hashToken(key) },
  });
  return { ...toApiKey(row), key };
}

/** Makes the key that the environment names, unless it was made before: one that was revoked stays revoked. */
export async function ensureApiKey(workspaceId: WorkspaceId, key: string): Promise<void> {
  const known = await prisma().apiKey.findUnique({ where: { keyHash: hashToken(key) }, select: { id: true } });
  if (!known) await insertApiKey(workspaceId, { name: "INIT_API_KEY", role: "admin", createdBy: null, key });
}

const FIND_LIVE = `
  SELECT k.id AS "keyId", k.name, k.role, k.workspace_id AS "workspaceId", w.name AS "workspaceName", k.last_used_at AS "lastUsedAt"
    FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id
   WHERE k.key_hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)`;

/** The working key of that hash; null when it is unknown, revoked or expired. Notes its use at most once a minute. */
export async function findLiveKey(keyHash: string, now: Date): Promise<LiveKey | null> {
  const { rows } = await pool().query<LiveKey & { lastUsedAt: Date | null }>(FIND_LIVE, [keyHash, now]);
  const [row] = rows;
  if (!row) return null;
  const { lastUsedAt, ...key } = row;
  if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() > TOUCH_EVERY_MS)
    await pool().query("UPDATE api_keys SET last_used_at = $2 WHERE id = $1", [key.keyId, now]);
  return key;
}

/** The keys that were not revoked, newest first; those that have expired too, so that one sees why a program is refused. */
export async function listApiKeys(workspaceId: WorkspaceId): Promise<ApiKey[]> {
  const rows = await prisma().apiKey.findMany({ where: { workspaceId, revokedAt: null }, orderBy: { createdAt: "desc" } });
  return rows.map(toApiKey);
}

/** @returns false when the workspace has no such key, or it was revoked before */
export async function revokeApiKey(workspaceId: WorkspaceId, id: string, now: Date): Promise<boolean> {
  const { count } = await prisma().apiKey.updateMany({ where: { id, workspaceId, revokedAt: null }, data: { revokedAt: now } });
  if (count === 1) rightsChanged(workspaceId);
  return count === 1;
}

type Row = {
  id: string;
  name: string;
  hint: string;
  role: Role;
  createdBy: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
};

const toApiKey = ({ id, name, hint, role, createdBy, createdAt, expiresAt, lastUsedAt }: Row): ApiKey => ({
  id,
  name,
  hint,
  role,
  createdBy,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

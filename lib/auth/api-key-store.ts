import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import { type ApiKey, apiKey, type Role } from "#lib/contracts/auth/settings";
import { answered } from "#lib/db/columns";
import type { Prisma } from "#lib/db/generated/client";
import { inTransaction, pool } from "#lib/db/pool";
import { type Connection, prisma } from "#lib/db/prisma";
import { hashToken } from "#lib/vault/opaque-token";
import { type Actor, callerOf } from "./actor.ts";
import { hintOf, newApiKey } from "./credentials.ts";
import { holdRights } from "./members/member-store.ts";
import { FIRST_WORKSPACE } from "./permissions.ts";
import { rightsChanged } from "./session-store.ts";

const TOUCH_EVERY_MS = 60_000;

export type LiveKey = {
  keyId: string;
  name: string;
  role: Role;
  workspaceId: WorkspaceId;
  workspaceName: string;
  runsInstallation: boolean;
};

const COLUMNS = {
  id: true,
  name: true,
  hint: true,
  role: true,
  createdBy: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
} satisfies Prisma.ApiKeySelect;

type NewKey = { name: string; role: Role; createdBy: string | null; createdById?: string | null; expiresAt?: Date | null; key?: string };

/** Makes an API key while its creator's rights are locked. @throws AppError `forbidden` */
export const insertApiKeyFor = (actor: Actor, key: Pick<NewKey, "name" | "role" | "expiresAt">) =>
  inTransaction(pool(), async (client) => {
    await holdRights(client, actor);
    const { id, name } = callerOf(actor);
    return insertApiKey(actor.workspaceId, { ...key, createdBy: name, createdById: id }, client);
  });

/** Returns the key too, which can't be read again. @param wanted.key the environment's; else one is generated */
export async function insertApiKey(workspaceId: WorkspaceId, wanted: NewKey, client: Connection = pool()) {
  const { name, role, createdBy, createdById = null, expiresAt = null, key = newApiKey() } = wanted;
  const kept = { id: newId("key"), name, hint: hintOf(key), role, createdBy, expiresAt, lastUsedAt: null };
  const data = { ...kept, workspaceId, createdById, keyHash: hashToken(key) };
  const { createdAt } = await prisma(client).apiKey.create({ data, select: { createdAt: true } });
  return { ...toApiKey({ ...kept, createdAt }), key };
}

/** Makes the environment's key once: a revoked one stays revoked. @returns its ID if it was made now */
export async function ensureApiKey(workspaceId: WorkspaceId, key: string): Promise<string | null> {
  if ((await prisma().apiKey.count({ where: { keyHash: hashToken(key) } })) > 0) return null;
  return (await insertApiKey(workspaceId, { name: "INIT_API_KEY", role: "admin", createdBy: null, key })).id;
}

const FIND_LIVE = `
  SELECT k.id AS "keyId", k.name, k.role, k.workspace_id AS "workspaceId", w.name AS "workspaceName",
         w.id = (${FIRST_WORKSPACE}) AS "runsInstallation", k.last_used_at AS "lastUsedAt"
    FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id
   WHERE k.key_hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)`;

/** Finds a working key and notes its use at most once a minute. */
export async function findLiveKey(keyHash: string, now: Date): Promise<LiveKey | null> {
  const { rows } = await pool().query<LiveKey & { lastUsedAt: Date | null }>(FIND_LIVE, [keyHash, now]);
  const [row] = rows;
  if (!row) return null;
  const { lastUsedAt, ...key } = row;
  if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() > TOUCH_EVERY_MS)
    await prisma().apiKey.updateMany({ where: { id: key.keyId }, data: { lastUsedAt: now } });
  return key;
}

/** Returns when a key expired; null if it is unknown, revoked or still valid. */
export async function findKeyExpiry(keyHash: string, now: Date): Promise<Date | null> {
  const found = await prisma().apiKey.findFirst({
    where: { keyHash, revokedAt: null, expiresAt: { lte: now } },
    select: { expiresAt: true },
  });
  return found?.expiresAt ?? null;
}

/** Lists expired keys too, so that one sees why a program is rejected. */
export async function listApiKeys(workspaceId: WorkspaceId): Promise<ApiKey[]> {
  const keys = await prisma().apiKey.findMany({ where: { workspaceId, revokedAt: null }, select: COLUMNS, orderBy: { createdAt: "desc" } });
  return keys.map(toApiKey);
}

/** Returns null for an unknown or already revoked key. */
export async function revokeApiKey(workspaceId: WorkspaceId, id: string, now: Date): Promise<ApiKey | null> {
  const [revoked] = await prisma().apiKey.updateManyAndReturn({
    where: { id, workspaceId, revokedAt: null },
    data: { revokedAt: now },
    select: COLUMNS,
  });
  if (!revoked) return null;
  rightsChanged(workspaceId);
  return toApiKey(revoked);
}

const toApiKey = (key: Prisma.ApiKeyGetPayload<{ select: typeof COLUMNS }>): ApiKey => answered(apiKey, key);

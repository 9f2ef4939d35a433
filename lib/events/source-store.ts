import type pg from "pg";
import { AppError } from "#lib/contracts/app-error";
import { newId, type SourceId, type WorkspaceId } from "#lib/contracts/ids";
import { notifySoon } from "#lib/db/notify";
import { inTransaction, pool } from "#lib/db/pool";
import { logger } from "#lib/observability/logger";
import { newToken } from "#lib/vault/opaque-token";
import { open, seal } from "#lib/vault/vault";

const HOUR_MS = 3_600_000;
const DEFAULT_OVERLAP_MS = 24 * HOUR_MS;

/** A source with its secrets that verify now, newest first; never the secrets themselves. */
export type StoredSource = {
  id: string;
  name: string;
  secrets: { id: string; createdAt: Date; validUntil: Date | null }[];
  lastEventAt: Date | null;
};

/** The workspace's sources by name. */
export async function listSources(workspaceId: WorkspaceId): Promise<StoredSource[]> {
  const { rows } = await pool().query<StoredSource>(
    `SELECT s.id, s.name,
            (SELECT e.received_at FROM events e WHERE e.workspace_id = $1 AND e.source_id = s.id
              ORDER BY e.received_at DESC LIMIT 1) AS "lastEventAt",
            COALESCE((SELECT json_agg(json_build_object('id', x.id, 'createdAt', x.created_at, 'validUntil', x.valid_until)
                                      ORDER BY x.created_at DESC)
                        FROM source_secrets x
                       WHERE x.source_id = s.id AND (x.valid_until IS NULL OR x.valid_until > now())), '[]') AS secrets
       FROM sources s WHERE s.workspace_id = $1 ORDER BY s.name`,
    [workspaceId],
  );
  return rows.map((row) => ({ ...row, secrets: row.secrets.map(withDates) }));
}

/** JSON made by the database holds times as text. */
const withDates = (secret: StoredSource["secrets"][number]) => ({
  id: secret.id,
  createdAt: new Date(secret.createdAt),
  validUntil: secret.validUntil && new Date(secret.validUntil),
});

/**
 * Sees that the workspace has the source and that it verifies with the secret.
 * A secret that is new becomes the active one, the old one stays valid for 24
 * hours. One that was rotated away before is not brought back by a restart.
 *
 * @param secret the environment's; without one a source that has none gets a random one
 * @throws AppError `conflict` when another workspace has a source of that name
 */
export async function ensureSource(workspaceId: WorkspaceId, name: string, secret: string | undefined, now = new Date()): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const sourceId = await lockSource(client, workspaceId, name);
    const known = await readSecrets(client, workspaceId, sourceId);
    if (!secret && known.length > 0) return;
    const matches = known.filter((each) => each.value === secret);
    const match = matches.find((each) => !each.validUntil) ?? matches[0];
    if (match?.validUntil) logger().warn({ source: name }, "WEBHOOK_SECRET names a secret that was rotated away: it stays retired");
    if (!match) await putSecret(client, workspaceId, sourceId, secret ?? newToken(), new Date(now.getTime() + DEFAULT_OVERLAP_MS), now);
  });
  notifySoon(pool(), "sources", workspaceId);
}

/**
 * Gives the source a new secret, random unless one is given. The one that was active stays valid for
 * the overlap; older ones end now, so that at most two verify at once.
 *
 * @param given the secret that the platform issued
 * @returns the secret, which can't be had again; null when it was given
 * @throws AppError `not_found`, or `conflict` when that one is the active secret already
 */
export async function rotateSecret(workspaceId: WorkspaceId, sourceId: SourceId, overlapHours: number, given?: string, now = new Date()) {
  const secret = given ?? newToken();
  const previousValidUntil = new Date(now.getTime() + overlapHours * HOUR_MS);
  const id = await inTransaction(pool(), async (client) => {
    const { rowCount } = await client.query("SELECT 1 FROM sources WHERE id = $1 AND workspace_id = $2 FOR UPDATE", [
      sourceId,
      workspaceId,
    ]);
    if (rowCount === 0) throw new AppError("not_found", "There is no such source.");
    if (given !== undefined) {
      const active = (await readSecrets(client, workspaceId, sourceId)).filter(({ validUntil }) => validUntil === null);
      if (active.some(({ value }) => value === given)) throw new AppError("conflict", "That is the active secret already.");
    }
    return putSecret(client, workspaceId, sourceId, secret, previousValidUntil, now);
  });
  notifySoon(pool(), "sources", workspaceId);
  return { id, secret: given === undefined ? secret : null, previousValidUntil };
}

/** The source's id, made when it is missing; locked, so that two starts at once don't both add a secret. */
async function lockSource(client: pg.PoolClient, workspaceId: WorkspaceId, name: string): Promise<string> {
  await client.query("INSERT INTO sources (id, workspace_id, name) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING", [
    newId("src"),
    workspaceId,
    name,
  ]);
  const { rows } = await client.query<{ id: string }>("SELECT id FROM sources WHERE name = $1 AND workspace_id = $2 FOR UPDATE", [
    name,
    workspaceId,
  ]);
  const [source] = rows;
  if (!source) throw new AppError("conflict", `Another workspace receives at /webhooks/${name} already. Choose another WEBHOOK_SOURCE.`);
  return source.id;
}

/** Every secret that the source ever had; one that can't be opened has no value. */
async function readSecrets(client: pg.PoolClient, workspaceId: WorkspaceId, sourceId: string) {
  const { rows } = await client.query<{ id: string; sealed: string; validUntil: Date | null }>(
    'SELECT id, sealed, valid_until AS "validUntil" FROM source_secrets WHERE source_id = $1',
    [sourceId],
  );
  const opened = rows.map(async ({ id, sealed, validUntil }) => ({
    validUntil,
    value: await open(sealed, contextOf(workspaceId, id)).catch(() => null),
  }));
  return Promise.all(opened);
}

async function putSecret(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  sourceId: string,
  secret: string,
  previousValidUntil: Date,
  now: Date,
): Promise<string> {
  await client.query("UPDATE source_secrets SET valid_until = $2 WHERE source_id = $1 AND valid_until > $2", [sourceId, now]);
  await client.query("UPDATE source_secrets SET valid_until = $2 WHERE source_id = $1 AND valid_until IS NULL", [
    sourceId,
    previousValidUntil,
  ]);
  const id = newId("sec");
  const { sealed, keyId } = await seal(secret, contextOf(workspaceId, id));
  await client.query(
    "INSERT INTO source_secrets (id, workspace_id, source_id, sealed, key_id, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
    [id, workspaceId, sourceId, sealed, keyId, now],
  );
  return id;
}

const contextOf = (workspaceId: WorkspaceId, secretId: string) => ({
  workspaceId,
  table: "source_secrets",
  row: secretId,
  field: "sealed",
});

/** Removes signing secrets that were sealed with one of these keys, in all workspaces. @returns how many */
export async function deleteSecretsOfKeys(keyIds: string[]): Promise<number> {
  return (await pool().query("DELETE FROM source_secrets WHERE key_id = ANY($1)", [keyIds])).rowCount ?? 0;
}

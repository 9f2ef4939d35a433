import type pg from "pg";
import { AppError } from "#lib/contracts/api/app-error";
import { newId, type SourceId, type WorkspaceId } from "#lib/contracts/api/ids";
import { isSourceName } from "#lib/contracts/sources/source-name";
import { notifyOnCommit } from "#lib/db/notify/notify";
import { inTransaction, pool } from "#lib/db/pool";
import { type Connection, prisma } from "#lib/db/prisma";
import { logger } from "#lib/observability/logger";
import type { SourceSender } from "#lib/platform/schemes/passed-headers";
import type { SourceSettings } from "#lib/sources/source-settings-store";
import { newToken } from "#lib/vault/opaque-token";
import { sourceSecretPlace } from "#lib/vault/source-secret-place";
import { open, seal } from "#lib/vault/vault";

const HOUR_MS = 3_600_000;
const DEFAULT_OVERLAP_MS = 24 * HOUR_MS;

/** A source with its secrets that verify now, newest first; never the secrets themselves. */
export type StoredSource = SourceSettings & {
  id: string;
  name: string;
  createdAt: Date;
  secrets: { id: string; createdAt: Date; validUntil: Date | null }[];
};

/** The workspace's sources: those of the platform first, archived ones last, by name. */
export async function listSources(workspaceId: WorkspaceId): Promise<StoredSource[]> {
  const { rows } = await pool().query<StoredSource>(
    `SELECT s.id, s.name, s.created_at AS "createdAt", s.template, s.scheme, s.reading, s.records, s.record, s.archived_at AS "archivedAt", s.paused_at AS "pausedAt",
            s.retention_days AS "retentionDays", s.keep_late AS "keepLate",
            COALESCE((SELECT json_agg(json_build_object('id', x.id, 'createdAt', x.created_at, 'validUntil', x.valid_until)
                                      ORDER BY x.created_at DESC)
                        FROM source_secrets x
                       WHERE x.source_id = s.id AND (x.valid_until IS NULL OR x.valid_until > now())), '[]') AS secrets
       FROM sources s WHERE s.workspace_id = $1 ORDER BY s.archived_at IS NOT NULL, s.template <> 'platform', s.name`,
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

/** A secret that was added to a source. `previousValidUntil`: until when the one before it verifies; null for a first secret. */
type AddedSecret = { id: string; sourceId: string; sourceName: string; previousValidUntil: Date | null };

export type EnsureOptions = {
  /** The first secret of a source that never had one; a random one when left out. */
  first?: string | undefined;
  /** Called with a secret that was added, in the transaction that adds it. */
  onAdded?: (added: AddedSecret, client: pg.PoolClient) => Promise<void>;
  now: Date;
};

/**
 * Makes sure that the workspace has the source and that it has a secret. A
 * source that never had one gets one. Otherwise only `given` is added, and only
 * when the source never had it: it becomes the active one, the one before stays
 * valid for 24 hours, and older ones keep their own ends. A value that the
 * source has or had changes nothing, so that installations with different
 * environments can't rotate back and forth (docs/decisions/0022).
 *
 * @param given the secret that an operator asked for by name; undefined to leave an existing source alone
 * @throws AppError `conflict` when another workspace has a source of that name, `invalid_request` when no source can have the name
 */
export async function ensureSource(
  workspaceId: WorkspaceId,
  name: string,
  given: string | undefined,
  { first = given, onAdded, now }: EnsureOptions,
): Promise<void> {
  if (!isSourceName(name)) throw new AppError("invalid_request", "A source name must be lowercase letters, digits and dashes, at most 63.");
  const notifyHere = await inTransaction(pool(), async (client) => {
    const sourceId = await lockSource(client, workspaceId, name);
    const known = await readSecrets(client, workspaceId, sourceId);
    const isFirst = known.length === 0;
    const secret = isFirst ? (first ?? newToken()) : given;
    if (secret === undefined || isKnown(known, secret, name)) return null;
    const previousValidUntil = new Date(now.getTime() + DEFAULT_OVERLAP_MS);
    const id = await putSecret(client, workspaceId, sourceId, secret, previousValidUntil, now);
    await onAdded?.({ id, sourceId, sourceName: name, previousValidUntil: isFirst ? null : previousValidUntil }, client);
    return notifyOnCommit(client, "sources", workspaceId);
  });
  notifyHere?.();
}

function isKnown(known: { value: string | null; validUntil: Date | null }[], secret: string, source: string): boolean {
  const matches = known.filter(({ value }) => value === secret);
  const retired = matches.length > 0 && matches.every(({ validUntil }) => validUntil !== null);
  if (retired) logger().warn({ source }, "WEBHOOK_SECRET is a secret that was replaced: it stays retired");
  return matches.length > 0;
}

/**
 * Gives the source a new secret, random unless one is given. The one that was active stays valid for
 * the overlap; older ones end now, so that at most two verify at once.
 *
 * @param given the secret that the platform issued
 * @returns the secret, which can't be had again (null when it was given), its id and that of the one before it
 * @throws AppError `not_found`, or `conflict` when that one is the active secret already
 */
export async function rotateSecret(workspaceId: WorkspaceId, sourceId: SourceId, overlapHours: number, now: Date, given?: string) {
  const secret = given ?? newToken();
  const previousValidUntil = new Date(now.getTime() + overlapHours * HOUR_MS);
  const { notifyHere, ...rotated } = await inTransaction(pool(), async (client) => {
    const { rows } = await client.query<{ name: string }>("SELECT name FROM sources WHERE id = $1 AND workspace_id = $2 FOR UPDATE", [
      sourceId,
      workspaceId,
    ]);
    if (!rows[0]) throw new AppError("not_found", "There is no source with that ID.");
    const active = (await readSecrets(client, workspaceId, sourceId)).filter(({ validUntil }) => validUntil === null);
    if (given !== undefined && active.some(({ value }) => value === given))
      throw new AppError("conflict", "This is already the active secret.");
    await prisma(client).sourceSecret.updateMany({ where: { sourceId, validUntil: { gt: now } }, data: { validUntil: now } });
    const added = await putSecret(client, workspaceId, sourceId, secret, previousValidUntil, now);
    const notify = await notifyOnCommit(client, "sources", workspaceId);
    return { id: added, name: rows[0].name, previousId: active[0]?.id ?? null, notifyHere: notify };
  });
  notifyHere();
  return { ...rotated, secret: given === undefined ? secret : null, previousValidUntil };
}

/** The source's id, made when it is missing; locked, so that two starts at once don't both add a secret. */
async function lockSource(client: pg.PoolClient, workspaceId: WorkspaceId, name: string): Promise<string> {
  await prisma(client).source.createMany({ data: { id: newId("src"), workspaceId, name }, skipDuplicates: true });
  const { rows } = await client.query<{ id: string }>("SELECT id FROM sources WHERE name = $1 AND workspace_id = $2 FOR UPDATE", [
    name,
    workspaceId,
  ]);
  const [source] = rows;
  if (!source)
    throw new AppError("conflict", `Another workspace already receives webhooks at /webhooks/${name}. Choose another WEBHOOK_SOURCE.`);
  return source.id;
}

/** Every secret that the source ever had; one that can't be opened has no value. */
async function readSecrets(client: pg.PoolClient, workspaceId: WorkspaceId, sourceId: string) {
  const rows = await prisma(client).sourceSecret.findMany({ where: { sourceId }, select: { id: true, sealed: true, validUntil: true } });
  const opened = rows.map(async ({ id, sealed, validUntil }) => ({
    id,
    validUntil,
    value: await open(sealed, sourceSecretPlace(workspaceId, id)).catch(() => null),
  }));
  return Promise.all(opened);
}

/** The first secret of a source that was just made. */
export const addFirstSecret = (client: pg.PoolClient, workspaceId: WorkspaceId, sourceId: SourceId, secret: string, now: Date) =>
  putSecret(client, workspaceId, sourceId, secret, now, now);

/** Makes a secret the active one; the one that was active so far ends at `previousValidUntil`. */
async function putSecret(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  sourceId: string,
  secret: string,
  previousValidUntil: Date,
  now: Date,
): Promise<string> {
  await prisma(client).sourceSecret.updateMany({ where: { sourceId, validUntil: null }, data: { validUntil: previousValidUntil } });
  return insertSecret(client, workspaceId, sourceId, secret, now);
}

async function insertSecret(client: pg.PoolClient, workspaceId: WorkspaceId, sourceId: string, secret: string, now: Date): Promise<string> {
  const id = newId("sec");
  const { sealed, keyId } = await seal(secret, sourceSecretPlace(workspaceId, id));
  await prisma(client).sourceSecret.create({ data: { id, workspaceId, sourceId, sealed, keyId, createdAt: now }, select: { id: true } });
  return id;
}

/** A sender renews its certificates, and signs with the one before for a while. */
const KEPT_CERTIFICATES = 8;

/** Adds a sender's certificate, as `url\ncertificate`, beside those that the source has. */
export async function addCertificate(client: pg.PoolClient, workspaceId: WorkspaceId, sourceId: SourceId, value: string, now: Date) {
  await client.query("SELECT 1 FROM sources WHERE id = $1 FOR UPDATE", [sourceId]);
  const known = (await readSecrets(client, workspaceId, sourceId)).filter(({ validUntil }) => validUntil === null);
  if (known.some((each) => each.value === value)) return;
  await insertSecret(client, workspaceId, sourceId, value, now);
  await client.query(
    `UPDATE source_secrets SET valid_until = now() WHERE id IN (SELECT id FROM source_secrets
       WHERE source_id = $1 AND valid_until IS NULL ORDER BY created_at DESC OFFSET $2)`,
    [sourceId, KEPT_CERTIFICATES],
  );
}

/** Removes signing secrets that were sealed with one of these keys, in all workspaces. @returns how many */
export async function deleteSecretsOfKeys(keyIds: string[]): Promise<number> {
  return inTransaction(pool(), async (client) => {
    const { count } = await prisma(client).sourceSecret.deleteMany({ where: { keyId: { in: keyIds } } });
    await notifyOnCommit(client, "sources", "");
    return count;
  });
}

/** Returns how the sources of a workspace sign, archived ones too, by their IDs. */
export async function listSenders(workspaceId: WorkspaceId, from: Connection = pool()): Promise<Map<string, SourceSender>> {
  const rows = await prisma(from).source.findMany({
    where: { workspaceId },
    select: { id: true, template: true, scheme: true, reading: true },
  });
  return new Map(rows.map(({ id, ...sender }) => [id, sender as SourceSender]));
}

/** The source that stands for its workspace where one is to be had. */
export type MainSource = { workspaceId: WorkspaceId; name: string };

/**
 * Returns the source that the next start would make again, so it is never archived; null before there is one.
 *
 * @param first the name of the installation's own
 */
export async function findMainSource(
  workspaceId: WorkspaceId,
  first: string,
  from: pg.Pool | pg.PoolClient = pool(),
): Promise<SourceId | null> {
  const { rows } = await from.query<{ id: SourceId }>(
    "SELECT id FROM sources WHERE workspace_id = $1 ORDER BY (name = $2) DESC, created_at, id LIMIT 1",
    [workspaceId, first],
  );
  return rows[0]?.id ?? null;
}

/** Each workspace's oldest source, across workspaces; the one of that name before any other. */
export async function listMainSources(first: string): Promise<MainSource[]> {
  const { rows } = await pool("worker").query<MainSource>(
    `SELECT DISTINCT ON (workspace_id) workspace_id AS "workspaceId", name FROM sources
     ORDER BY workspace_id, (name = $1) DESC, created_at, id`,
    [first],
  );
  return rows;
}

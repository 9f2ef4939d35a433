import type pg from "pg";
import { AppError, expectFound } from "#lib/contracts/api/app-error";
import { newId, type SourceId, sourceId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { RecordSettings } from "#lib/contracts/sources/record-settings";
import type { EventReading, SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { SourceRecords, SourceTemplateName } from "#lib/contracts/sources/templates";
import { isSourceName } from "#lib/contracts/sources/templates";
import { column, columnsSql, type RowOf } from "#lib/db/columns";
import { Prisma } from "#lib/db/generated/client";
import { lockCount } from "#lib/db/locks";
import { notifyOnCommit } from "#lib/db/notifications";
import { inTransaction, pool } from "#lib/db/pool";
import { type Connection, prisma } from "#lib/db/prisma";
import { queryRow, queryRows, queryValue } from "#lib/db/rows";
import { logger } from "#lib/observability/logger";
import type { SourceSender } from "#lib/platform/schemes/sender-requests";
import { newToken } from "#lib/vault/opaque-token";
import { hasKey, open, seal, sourceSecretPlace } from "#lib/vault/vault";

const HOUR_MS = 3_600_000;
const DEFAULT_OVERLAP_MS = 24 * HOUR_MS;

const SETTINGS = {
  template: column<SourceTemplateName>(),
  scheme: column<SchemeSettings>(),
  reading: column<EventReading | null>(),
  records: column<SourceRecords>(),
  record: column<RecordSettings | null>(),
  archivedAt: column<Date | null>(),
  pausedAt: column<Date | null>(),
  retentionDays: column<number | null>(),
  keepLate: column<boolean>(),
};

export type SourceSettings = RowOf<typeof SETTINGS>;

const NAMED = { ...SETTINGS, id: column<string>(), name: column<string>() };

export type NamedSource = RowOf<typeof NAMED>;

const SOURCE = {
  ...NAMED,
  createdAt: column<Date>(),
  /** Those that verify now, newest first; never the secrets themselves. */
  secrets: column<{ id: string; createdAt: Date; validUntil: Date | null }[]>(
    `COALESCE((SELECT json_agg(json_build_object('id', x.id, 'createdAt', x.created_at, 'validUntil', x.valid_until) ORDER BY x.created_at DESC)
       FROM source_secrets x WHERE x.source_id = s.id AND (x.valid_until IS NULL OR x.valid_until > now())), '[]')`,
  ),
};

export type StoredSource = RowOf<typeof SOURCE>;

const LISTED = "FROM sources s WHERE s.workspace_id = $1 ORDER BY s.archived_at IS NOT NULL, s.template <> 'platform', s.name";

export async function listSources(workspaceId: WorkspaceId): Promise<StoredSource[]> {
  const { rows } = await pool().query<StoredSource>(`SELECT ${columnsSql(SOURCE, "s")} ${LISTED}`, [workspaceId]);
  return rows.map((row) => ({ ...row, secrets: row.secrets.map(withDates) }));
}

/** Returns names by ID, in the order of lists. */
export async function listSourceNames(workspaceId: WorkspaceId): Promise<Map<string, string>> {
  const { rows } = await pool().query<{ id: string; name: string }>(`SELECT s.id, s.name ${LISTED}`, [workspaceId]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export const findSource = (workspaceId: WorkspaceId, { id, name }: { id?: string; name?: string }): Promise<NamedSource | null> =>
  queryRow<NamedSource>(pool(), `SELECT ${columnsSql(NAMED)} FROM sources WHERE workspace_id = $1 AND (id = $2 OR name = $3)`, [
    workspaceId,
    id ?? null,
    name ?? null,
  ]);

/** Reads times: JSON made by the database holds them as text. */
const withDates = (secret: StoredSource["secrets"][number]) => ({
  id: secret.id,
  createdAt: new Date(secret.createdAt),
  validUntil: secret.validUntil && new Date(secret.validUntil),
});

type AddedSecret = { id: string; sourceId: string; sourceName: string; previousValidUntil: Date | null };

export type EnsureOptions = {
  first?: string | undefined;
  /** Called in the transaction that adds the secret. */
  onAdded?: (added: AddedSecret, client: pg.PoolClient) => Promise<void>;
  now: Date;
};

/**
 * Creates the source and its first secret if missing. Otherwise adds `given` only if the source never had it, so that installations with
 * different environments can't rotate back and forth (docs/decisions/0022). Throws `conflict`, `invalid_request`.
 */
export async function ensureSource(
  workspaceId: WorkspaceId,
  name: string,
  given: string | undefined,
  { first = given, onAdded, now }: EnsureOptions,
): Promise<void> {
  if (!isSourceName(name)) throw new AppError("invalid_request", "A source name must be lowercase letters, digits and dashes, at most 63.");
  await inTransaction(pool(), async (client) => {
    const sourceId = await lockSource(client, workspaceId, name);
    const known = await readSecrets(client, workspaceId, sourceId);
    const isFirst = known.length === 0;
    const secret = isFirst ? (first ?? newToken()) : given;
    if (secret === undefined || isKnown(known, secret, name)) return;
    const previousValidUntil = new Date(now.getTime() + DEFAULT_OVERLAP_MS);
    const id = await putSecret(client, workspaceId, sourceId, secret, previousValidUntil, now);
    await onAdded?.({ id, sourceId, sourceName: name, previousValidUntil: isFirst ? null : previousValidUntil }, client);
    await notifyOnCommit(client, "sources", workspaceId);
  });
}

function isKnown(known: { value: string | null; validUntil: Date | null }[], secret: string, source: string): boolean {
  const matches = known.filter(({ value }) => value === secret);
  const retired = matches.length > 0 && matches.every(({ validUntil }) => validUntil !== null);
  if (retired) logger().warn({ source }, "WEBHOOK_SECRET is a secret that was replaced: it stays retired");
  return matches.length > 0;
}

/** Adds a secret. The previous one stays valid for the overlap; older ones end now, so that at most two verify. Throws AppError. */
export async function rotateSecret(workspaceId: WorkspaceId, sourceId: SourceId, overlapHours: number, now: Date, given?: string) {
  const secret = given ?? newToken();
  const previousValidUntil = new Date(now.getTime() + overlapHours * HOUR_MS);
  const rotated = await inTransaction(pool(), async (client) => {
    const { name } = await expectFound(lockSourceSettings(client, workspaceId, sourceId), "source with that ID");
    const active = (await readSecrets(client, workspaceId, sourceId)).filter(({ validUntil }) => validUntil === null);
    if (given !== undefined && active.some(({ value }) => value === given))
      throw new AppError("conflict", "This is already the active secret.");
    await prisma(client).sourceSecret.updateMany({ where: { sourceId, validUntil: { gt: now } }, data: { validUntil: now } });
    const added = await putSecret(client, workspaceId, sourceId, secret, previousValidUntil, now);
    await notifyOnCommit(client, "sources", workspaceId);
    return { id: added, name, previousId: active[0]?.id ?? null };
  });
  return { ...rotated, secret: given === undefined ? secret : null, previousValidUntil };
}

/** Returns the source's ID, created if missing; locked, so that two starts at once don't both add a secret. */
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

/** Returns every secret that the source ever had; `value` is null if it can't be opened. */
async function readSecrets(client: pg.PoolClient, workspaceId: WorkspaceId, sourceId: string) {
  const rows = await prisma(client).sourceSecret.findMany({ where: { sourceId }, select: { id: true, sealed: true, validUntil: true } });
  const opened = rows.map(async ({ id, sealed, validUntil }) => ({
    id,
    validUntil,
    value: await open(sealed, sourceSecretPlace(workspaceId, id)).catch(() => null),
  }));
  return Promise.all(opened);
}

export const addFirstSecret = (client: pg.PoolClient, workspaceId: WorkspaceId, sourceId: SourceId, secret: string, now: Date) =>
  putSecret(client, workspaceId, sourceId, secret, now, now);

/** Adds a secret; the one before counts until then. */
export async function putSecret(
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

/** A sender that renews its certificate still signs with the previous one for a while. */
const KEPT_CERTIFICATES = 8;

/** Adds a sender's certificate, as `url\ncertificate`. */
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

export async function deleteSecretsOfKeys(keyIds: string[]): Promise<number> {
  return inTransaction(pool(), async (client) => {
    const { count } = await prisma(client).sourceSecret.deleteMany({ where: { keyId: { in: keyIds } } });
    await notifyOnCommit(client, "sources", "");
    return count;
  });
}

export async function listSenders(workspaceId: WorkspaceId, from: Connection = pool()): Promise<Map<string, SourceSender>> {
  const rows = await prisma(from).source.findMany({
    where: { workspaceId },
    select: { id: true, template: true, scheme: true, reading: true },
  });
  return new Map(rows.map(({ id, ...sender }) => [id, sender as SourceSender]));
}

/** Represents its workspace where a single source is needed. */
export type MainSource = { workspaceId: WorkspaceId; name: string };

/** Returns the source that the next start would create again, so it is never archived. `first` names the installation's own. */
export const findMainSource = (workspaceId: WorkspaceId, first: string, from: Connection = pool()): Promise<SourceId | null> =>
  queryValue<{ id: SourceId }>(from, "SELECT id FROM sources WHERE workspace_id = $1 ORDER BY (name = $2) DESC, created_at, id LIMIT 1", [
    workspaceId,
    first,
  ]);

/** Returns each workspace's oldest source; the one named `first` before any other. */
export const listMainSources = (first: string): Promise<MainSource[]> =>
  queryRows<MainSource>(
    pool("worker"),
    `SELECT DISTINCT ON (workspace_id) workspace_id AS "workspaceId", name FROM sources
     ORDER BY workspace_id, (name = $1) DESC, created_at, id`,
    [first],
  );

/** Every source has a limiter, a cache entry and a line in every list of sources. */
const MAX_SOURCES = 100;

/** Locks the number of a workspace's sources for one transaction at a time. Throws `conflict` at `MAX_SOURCES`. */
export async function assertRoom(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<void> {
  await lockCount(client, "sources", workspaceId);
  if ((await prisma(client).source.count({ where: { workspaceId, archivedAt: null } })) >= MAX_SOURCES)
    throw new AppError("conflict", `A workspace has at most ${MAX_SOURCES} sources. Archive one that you no longer need.`);
}

/** Creates a source without a secret. Throws `conflict` for a name taken in any workspace, and at `MAX_SOURCES`. */
export async function insertSource(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  name: string,
  { template, scheme, reading, records, record }: Omit<SourceSettings, "archivedAt" | "pausedAt" | "retentionDays" | "keepLate">,
): Promise<SourceId> {
  await assertRoom(client, workspaceId);
  const id = sourceId.parse(newId("src"));
  const settings = { template, scheme, reading: reading ?? Prisma.DbNull, records, record: record ?? Prisma.DbNull };
  const { count } = await prisma(client).source.createMany({ data: { id, workspaceId, name, ...settings }, skipDuplicates: true });
  if (count === 0) {
    const message = `/webhooks/${name} is taken. Choose another name.`;
    throw new AppError("conflict", message, { errors: [{ path: "name", message }] });
  }
  return id;
}

/** Locks until the transaction ends; null if the workspace has no such source. */
export const lockSourceSettings = (client: pg.PoolClient, workspaceId: WorkspaceId, sourceId: SourceId): Promise<NamedSource | null> =>
  queryRow<NamedSource>(client, `SELECT ${columnsSql(NAMED)} FROM sources WHERE workspace_id = $1 AND id = $2 FOR UPDATE`, [
    workspaceId,
    sourceId,
  ]);

export async function updateSourceSettings(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  sourceId: SourceId,
  { template, scheme, reading, records, record, archivedAt, pausedAt, retentionDays, keepLate }: SourceSettings,
): Promise<void> {
  await prisma(client).source.updateMany({
    where: { id: sourceId, workspaceId },
    data: {
      ...{ template, scheme, records, archivedAt, pausedAt, retentionDays, keepLate },
      reading: reading ?? Prisma.DbNull,
      record: record ?? Prisma.DbNull,
    },
  });
}

/** `validUntil` in the past: retired; it explains and never verifies. */
export type OpenedSecret = { id: string; sourceId: SourceId; sourceName: string; value: string; validUntil: Date | null };

/** More would make a diagnosis slow and not better. */
const PER_SOURCE = 8;
const MAX_SECRETS = 60;

/** Opens the secrets of all sources, retired ones too, active ones first. Only for diagnosis. */
export async function openKnownSecrets(workspaceId: WorkspaceId): Promise<OpenedSecret[]> {
  const { rows } = await pool().query<Omit<OpenedSecret, "value"> & { sealed: string }>(
    `SELECT id, source_id AS "sourceId", name AS "sourceName", sealed, valid_until AS "validUntil" FROM (
       SELECT x.*, s.name, row_number() OVER (PARTITION BY x.source_id ORDER BY x.valid_until DESC NULLS FIRST, x.created_at DESC) AS n
         FROM source_secrets x JOIN sources s ON s.id = x.source_id
        WHERE x.workspace_id = $1 AND s.workspace_id = $1) ranked
      WHERE n <= $2 ORDER BY n, created_at DESC LIMIT $3`,
    [workspaceId, PER_SOURCE, MAX_SECRETS],
  );
  const opened = await Promise.all(rows.map(({ sealed, ...secret }) => openOne(workspaceId, secret, sealed)));
  return opened.filter((secret) => secret !== null);
}

async function openOne(workspaceId: WorkspaceId, secret: Omit<OpenedSecret, "value">, sealed: string): Promise<OpenedSecret | null> {
  try {
    return { ...secret, value: await open(sealed, sourceSecretPlace(workspaceId, secret.id)) };
  } catch (error) {
    logger().warn({ secretId: secret.id, reason: (error as Error).name }, "a signing secret can't be decrypted for a diagnosis");
    return null;
  }
}

export type LockedSource = { name: string; keyIds: string[] };

/** Lists sources whose valid secrets are all sealed with keys that the ring lacks. Throws VaultError `no_key`. */
export async function listLockedSources(): Promise<LockedSource[]> {
  const { rows } = await pool().query<LockedSource>(
    `SELECT s.name, array_agg(DISTINCT x.key_id ORDER BY x.key_id) AS "keyIds" FROM sources s
       JOIN source_secrets x ON x.source_id = s.id AND (x.valid_until IS NULL OR x.valid_until > now()) GROUP BY s.id ORDER BY s.name`,
  );
  return rows.filter(({ keyIds }) => !keyIds.some(hasKey));
}

type MovedEnd = { sourceName: string; endedBefore: Date; endsAt: Date };

/** Moves the end of a replaced secret. A future end is only extended: someone may have asked for longer. Throws `not_found`, `conflict`. */
export async function moveSecretEnd(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  sourceId: SourceId,
  { secretId, until, now }: { secretId: string; until: Date; now: Date },
): Promise<MovedEnd> {
  const source = await lockSourceSettings(client, workspaceId, sourceId);
  const { name } = await expectFound(source?.archivedAt === null ? source : null, "source with that ID, or it is archived");
  const secret = await prisma(client).sourceSecret.findFirst({
    where: { id: secretId, sourceId, workspaceId },
    select: { validUntil: true },
  });
  if (!secret) throw new AppError("not_found", "The source has no secret with that ID.");
  const { validUntil } = secret;
  if (validUntil === null) throw new AppError("conflict", "This is the active secret, so it is already accepted. Rotate it to replace it.");
  if (validUntil <= now && until <= now) throw new AppError("conflict", "This secret is no longer accepted.");
  const endsAt = until > now && validUntil > until ? validUntil : until;
  await prisma(client).sourceSecret.updateMany({ where: { id: secretId }, data: { validUntil: endsAt } });
  return { sourceName: name, endedBefore: validUntil, endsAt };
}

import type pg from "pg";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import {
  type DestinationMode,
  type DestinationState,
  type SuspensionReason,
  suspensionReason,
} from "#lib/contracts/forwarding/destinations";
import type { EventFilter } from "#lib/contracts/forwarding/event-filter";
import { cappedCount } from "#lib/db/bounded-query";
import { column, columnsSql, type RowOf } from "#lib/db/columns";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { queryRows } from "#lib/db/rows";
import { openUrl, readUrl, type StoredUrl, sealUrl } from "#lib/vault/sealed-values";
import { open, seal } from "#lib/vault/vault";
import { newSigningSecret } from "./attempt/outgoing-request.ts";

const MAX_PENDING = 100_001;
const MAX_EXHAUSTED = 10_001;
const SAMPLE = 1000;

/** Both conditions: the first is the index's own. */
const EXHAUSTED =
  "SELECT 1 FROM forward_deliveries f WHERE f.destination_id = d.id AND f.state IN ('exhausted', 'skipped') AND f.state = 'exhausted'";
const PENDING = "SELECT 1 FROM forward_deliveries f WHERE f.destination_id = d.id AND f.state = 'pending'";

const SETTINGS = {
  name: column<string>(),
  url: column<string>(),
  sourceIds: column<string[]>(),
  types: column<string[]>(),
  filter: column<EventFilter | null>(),
  mode: column<DestinationMode>(),
  ordered: column<boolean>(),
  rate: column<number | null>(),
  concurrency: column<number>(),
  headerNames: column<string[]>(),
};

export type DestinationSettings = RowOf<typeof SETTINGS>;

const DESTINATION = {
  ...SETTINGS,
  id: column<string>(),
  state: column<DestinationState>(),
  stateReason: column<SuspensionReason | null>(),
  stateAt: column<Date>(),
  stateBy: column<string | null>(),
  probeAt: column<Date | null>(),
  lastSuccessAt: column<Date | null>(),
  lastFailureAt: column<Date | null>(),
  lastFailureCode: column<string | null>(),
  lastFailureText: column<string | null>(),
  createdBy: column<string | null>(),
  createdAt: column<Date>(),
  pending: column<number>(`(${cappedCount(PENDING, MAX_PENDING)})`),
  oldestPendingAt: column<Date | null>(
    "(SELECT min(f.due_at) FROM forward_deliveries f WHERE f.destination_id = d.id AND f.state = 'pending')",
  ),
  exhausted: column<number>(`(${cappedCount(EXHAUSTED, MAX_EXHAUSTED)})`),
  dayDelivered: column<number>("m.delivered"),
  dayFailed: column<number>("m.failed"),
  p95Ms: column<number | null>(`(SELECT percentile_disc(0.95) WITHIN GROUP (ORDER BY total_ms) FROM (
     SELECT a.total_ms FROM (SELECT total_ms, outcome FROM forward_attempts WHERE destination_id = d.id ORDER BY id DESC LIMIT ${SAMPLE}) a
     WHERE a.outcome = 'delivered') t)`),
  secrets: column<{ id: string; createdAt: string; validUntil: string | null }[]>(
    `COALESCE((SELECT json_agg(json_build_object('id', s.id, 'createdAt', s.created_at, 'validUntil', s.valid_until) ORDER BY s.created_at DESC)
     FROM destination_secrets s WHERE s.destination_id = d.id AND (s.valid_until IS NULL OR s.valid_until > now())), '[]')`,
  ),
};

export type StoredDestination = RowOf<typeof DESTINATION>;

const COLUMNS = columnsSql({ ...DESTINATION, urlSealed: column() }, "d");

const FROM = `FROM destinations d CROSS JOIN LATERAL (
    SELECT coalesce(sum(delivered), 0)::int AS delivered, coalesce(sum(failed), 0)::int AS failed FROM destination_minutes
    WHERE destination_id = d.id AND minute > now() - interval '24 hours') m
  WHERE d.workspace_id = $1 AND d.deleted_at IS NULL`;

export async function listDestinations(workspaceId: WorkspaceId): Promise<StoredDestination[]> {
  const { rows } = await pool().query<WithStoredUrl<StoredDestination>>(`SELECT ${COLUMNS} ${FROM} ORDER BY lower(d.name), d.id`, [
    workspaceId,
  ]);
  return Promise.all(rows.map((row) => withUrl(workspaceId, row)));
}

export async function findDestination(workspaceId: WorkspaceId, id: string): Promise<StoredDestination | null> {
  const { rows } = await pool().query<WithStoredUrl<StoredDestination>>(`SELECT ${COLUMNS} ${FROM} AND d.id = $2`, [workspaceId, id]);
  return rows[0] ? withUrl(workspaceId, rows[0]) : null;
}

type WithStoredUrl<T> = Omit<T, "url"> & StoredUrl & { id: string };

/** Opens the URL, or leaves its masked form while it can't be opened. */
async function withUrl<T extends StoredUrl & { id: string }>(workspaceId: WorkspaceId, { urlSealed, ...row }: T) {
  return { ...row, url: await readUrl({ url: row.url, urlSealed }, urlPlace(workspaceId, row.id)) };
}

/** @throws VaultError when it can't be opened */
export async function openDestinationUrl(workspaceId: WorkspaceId, id: string): Promise<string> {
  const where = { id, workspaceId, deletedAt: null };
  const stored = await prisma().destination.findFirst({ where, select: { url: true, urlSealed: true } });
  return stored ? openUrl(stored, urlPlace(workspaceId, id)) : "";
}

/** Lists names and states, the longest in its state first. */
export async function listStates(workspaceId: WorkspaceId): Promise<{ id: string; name: string; state: DestinationState }[]> {
  const rows = await prisma().destination.findMany({
    where: { workspaceId, deletedAt: null },
    select: { id: true, name: true, state: true },
    orderBy: [{ stateAt: "asc" }, { id: "asc" }],
  });
  return rows.map((row) => ({ ...row, state: row.state as DestinationState }));
}

/** Returns names by ID, those of deleted destinations too. */
export async function findNames(workspaceId: WorkspaceId, ids: string[]): Promise<Map<string, string>> {
  const rows = await prisma().destination.findMany({ where: { workspaceId, id: { in: ids } }, select: { id: true, name: true } });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** `reason` of a suspension; `failed` is its last failure, if any. */
export type Standing = { name: string; reason: SuspensionReason | null; failed: { code: string; text: string } | null };

export async function findStandings(workspaceId: WorkspaceId, ids: string[]): Promise<Map<string, Standing>> {
  const select = { id: true, name: true, state: true, stateReason: true, lastFailureCode: true, lastFailureText: true };
  const rows = await prisma().destination.findMany({ where: { workspaceId, id: { in: ids } }, select });
  return new Map(
    rows.map(({ id, name, state, stateReason, lastFailureCode: code, lastFailureText: text }) => {
      const reason = state === "suspended" ? (suspensionReason.safeParse(stateReason).data ?? null) : null;
      return [id, { name, reason, failed: code === null ? null : { code, text: text ?? "" } }];
    }),
  );
}

const LOCKED = { ...SETTINGS, id: column<string>(), state: column<DestinationState>() };

export type LockedDestination = RowOf<typeof LOCKED>;

export async function lockDestination(client: pg.PoolClient, workspaceId: WorkspaceId, id: string): Promise<LockedDestination | null> {
  const { rows } = await client.query<WithStoredUrl<LockedDestination>>(
    `SELECT ${columnsSql({ ...LOCKED, urlSealed: column() }, "d")} FROM destinations d
     WHERE d.workspace_id = $1 AND d.id = $2 AND d.deleted_at IS NULL FOR UPDATE`,
    [workspaceId, id],
  );
  return rows[0] ? withUrl(workspaceId, rows[0]) : null;
}

export async function countDestinations(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<number> {
  return prisma(client).destination.count({ where: { workspaceId, deletedAt: null } });
}

const valuesOf = ({ name, sourceIds, types, filter, mode, ordered, rate, concurrency }: DestinationSettings) => [
  ...[name, sourceIds, types, filter === null ? null : JSON.stringify(filter), mode, ordered, rate, concurrency],
];

export async function insertDestination(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  id: string,
  settings: DestinationSettings,
  createdBy: string,
): Promise<void> {
  const { name, sourceIds, types, mode, ordered, rate, concurrency } = settings;
  const [url, urlSealed, urlKeyId] = await sealUrl(settings.url, urlPlace(workspaceId, id));
  await prisma(client).destination.createMany({
    data: { workspaceId, id, name, sourceIds, types, mode, ordered, rate, concurrency, createdBy, url, urlSealed, urlKeyId },
  });
  if (settings.filter === null) return;
  // Prisma would write its numbers as doubles.
  await client.query("UPDATE destinations SET filter = $3 WHERE workspace_id = $1 AND id = $2", [
    workspaceId,
    id,
    JSON.stringify(settings.filter),
  ]);
}

/** @param present URL now: an equal one is not written, so one that can't be opened stays as it is */
export async function updateDestination(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  id: string,
  settings: DestinationSettings,
  present: string,
): Promise<void> {
  await client.query(
    `UPDATE destinations SET name = $3, source_ids = $4, types = $5, filter = $6, mode = $7, ordered = $8, rate = $9, concurrency = $10,
       updated_at = now() WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [workspaceId, id, ...valuesOf(settings)],
  );
  if (settings.url === present) return;
  const [url, urlSealed, urlKeyId] = await sealUrl(settings.url, urlPlace(workspaceId, id));
  await prisma(client).destination.updateMany({ where: { id, workspaceId }, data: { url, urlSealed, urlKeyId } });
}

export const urlPlace = (workspaceId: WorkspaceId, id: string) => ({ workspaceId, table: "destinations", row: id, field: "url" });

/** Sets the state as a person asked. The circuit breaker counts from zero again. */
export async function setDestinationState(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  id: string,
  state: "active" | "paused",
  by: string,
): Promise<void> {
  await client.query(
    `UPDATE destinations SET state = $3, state_reason = NULL, state_at = now(), state_by = $4, epoch = epoch + 1, probes = 0, probe_at = NULL,
       failures_in_row = 0, failing_since = NULL WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [workspaceId, id, state, by],
  );
}

/** Marks a destination deleted; its deliveries stay readable until retention deletes them. */
export async function markDestinationDeleted(client: pg.PoolClient, workspaceId: WorkspaceId, id: string): Promise<void> {
  await client.query(
    `UPDATE destinations SET deleted_at = now(), url_sealed = NULL, url_key_id = NULL, header_names = '{}', headers_sealed = NULL,
       headers_key_id = NULL WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [workspaceId, id],
  );
}

const TROUBLE = {
  workspaceId: column<WorkspaceId>(),
  id: column<string>(),
  name: column<string>(),
  suspended: column<SuspensionReason | null>("CASE WHEN d.state = 'suspended' THEN d.state_reason END"),
  lastFailureText: column<string | null>(),
  /** Counted up to 1,001. */
  pending: column<number>(`(${cappedCount(PENDING)})`),
  exhausted: column<number>(`(${cappedCount(EXHAUSTED)})`),
};

export type TroubledDestination = RowOf<typeof TROUBLE>;

/** Lists suspended destinations and those with exhausted deliveries, of all workspaces, or among `ids`. */
export const listTroubled = (
  client: Pick<ReturnType<typeof pool>, "query"> = pool(),
  ids: string[] | null = null,
): Promise<TroubledDestination[]> =>
  queryRows<TroubledDestination>(
    client,
    `SELECT ${columnsSql(TROUBLE, "d")} FROM destinations d
     WHERE d.deleted_at IS NULL AND (d.state = 'suspended' OR EXISTS (${EXHAUSTED})) AND ($1::text[] IS NULL OR d.id = ANY($1)) ORDER BY d.id`,
    [ids],
  );

export type ForwardingFigures = {
  destination: string;
  state: DestinationState;
  /** Attempts since it was created. */
  delivered: number;
  failed: number;
  depth: number;
  oldestSeconds: number;
  /** Successful attempts by duration (LATENCY_BOUNDS_MS), and the sum of their durations. */
  latencyCounts: number[];
  latencySeconds: number;
};

export async function measureForwarding(): Promise<ForwardingFigures[]> {
  const { rows } = await pool().query<ForwardingFigures>(
    `SELECT d.id AS destination, d.state, d.attempts_delivered AS delivered, d.attempts_failed AS failed, f.depth, f.oldest AS "oldestSeconds",
       d.latency_counts AS "latencyCounts", d.latency_sum_ms::float8 / 1000 AS "latencySeconds"
     FROM destinations d CROSS JOIN LATERAL (
       SELECT count(*) AS depth, coalesce(greatest(0, extract(epoch FROM now() - min(due_at))), 0)::float8 AS oldest
       FROM forward_deliveries WHERE destination_id = d.id AND state = 'pending') f
     WHERE d.deleted_at IS NULL ORDER BY d.id`,
  );
  return rows.map((row) => ({ ...row, latencyCounts: row.latencyCounts.map(Number) }));
}

/** SQL: true for the active secret, and for the one it replaced until the overlap ends. */
const SIGNS = "(valid_until IS NULL OR valid_until > now())";

export async function openSigningSecrets(workspaceId: WorkspaceId, destinationId: string): Promise<string[]> {
  const { rows } = await pool("forwarding").query<{ id: string; sealed: string }>(
    `SELECT id, sealed FROM destination_secrets WHERE workspace_id = $1 AND destination_id = $2 AND ${SIGNS} ORDER BY created_at DESC, id`,
    [workspaceId, destinationId],
  );
  return Promise.all(rows.map(({ id, sealed }) => open(sealed, contextOf(workspaceId, id))));
}

/** Inserts a random secret. The previous one signs until `previousValidUntil`; older ones end now. The secret can't be read again. */
export async function insertSecret(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  destinationId: string,
  previousValidUntil: Date,
): Promise<{ id: string; secret: string }> {
  await client.query("UPDATE destination_secrets SET valid_until = now() WHERE destination_id = $1 AND valid_until > now()", [
    destinationId,
  ]);
  await prisma(client).destinationSecret.updateMany({
    where: { destinationId, validUntil: null },
    data: { validUntil: previousValidUntil },
  });
  const secret = newSigningSecret();
  return { id: await putSecret(client, workspaceId, destinationId, secret), secret };
}

/** Makes one secret the only one that signs: the earlier ones were entered, or made, for another host. */
export async function replaceSecrets(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  destinationId: string,
  secret: string,
): Promise<void> {
  await client.query(`UPDATE destination_secrets SET valid_until = now() WHERE destination_id = $1 AND ${SIGNS}`, [destinationId]);
  await putSecret(client, workspaceId, destinationId, secret);
}

async function putSecret(client: pg.PoolClient, workspaceId: WorkspaceId, destinationId: string, secret: string): Promise<string> {
  const id = newId("dsec");
  const { sealed, keyId } = await seal(secret, contextOf(workspaceId, id));
  await prisma(client).destinationSecret.createMany({ data: { id, workspaceId, destinationId, sealed, keyId } });
  return id;
}

export async function deleteSecretsOfLostKeys(keyIds: string[]): Promise<number> {
  return (await prisma().destinationSecret.deleteMany({ where: { keyId: { in: keyIds } } })).count;
}

const contextOf = (workspaceId: WorkspaceId, secretId: string) => ({
  workspaceId,
  table: "destination_secrets",
  row: secretId,
  field: "sealed",
});

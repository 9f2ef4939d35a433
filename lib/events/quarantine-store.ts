import type pg from "pg";
import { newId, type SourceId, type WorkspaceId } from "#lib/contracts/ids";
import type { Page } from "#lib/contracts/paging";
import type { QuarantineReason } from "#lib/contracts/quarantine";
import { pool } from "#lib/db/pool";
import { decodeCursor, encodeCursor } from "./cursor.ts";

/** A body that never verified is kept up to here; its full length is recorded beside it. */
export const KEPT_REFUSED_BYTES = 65_536;

export type NewQuarantineEntry = {
  workspaceId: WorkspaceId;
  sourceId: SourceId;
  receivedAt: Date;
  reason: QuarantineReason;
  detail: string;
  verified: boolean;
  body: Uint8Array;
  /** The length before it was cut, in bytes. */
  bodyBytes: number;
  headers: Record<string, string>;
  remoteAddress: string | null;
};

/** A kept refusal. `body` may be cut: compare its length with `bodyBytes`. */
export type QuarantineEntry = NewQuarantineEntry & { id: string; sourceName: string; admittedAt: Date | null };

/**
 * Keeps refused requests.
 *
 * @returns the ids of the entries, in order
 */
export async function insertQuarantine(from: pg.Pool, entries: NewQuarantineEntry[]): Promise<string[]> {
  const ids = entries.map(() => newId("qtn"));
  const values = entries.flatMap((entry, index) => [
    ids[index],
    entry.workspaceId,
    entry.sourceId,
    entry.receivedAt.toISOString(),
    entry.reason,
    entry.detail,
    entry.verified,
    entry.body,
    entry.bodyBytes,
    JSON.stringify(entry.headers),
    entry.remoteAddress,
  ]);
  const width = 11;
  const tuples = entries.map(
    (_, row) => `(${Array.from({ length: width }, (_unused, column) => `$${row * width + column + 1}`).join(",")})`,
  );
  await from.query(
    `INSERT INTO quarantine (id, workspace_id, source_id, received_at, reason, detail, verified, body, body_bytes, headers, remote_address)
     VALUES ${tuples.join(",")}`,
    values,
  );
  return ids;
}

type Row = {
  id: string;
  workspace_id: WorkspaceId;
  source_id: SourceId;
  source_name: string;
  received_at: Date;
  reason: QuarantineReason;
  detail: string;
  verified: boolean;
  body: Buffer;
  body_bytes: number;
  headers: Record<string, string>;
  remote_address: string | null;
  admitted_at: Date | null;
};

const entryOf = (row: Row): QuarantineEntry => ({
  id: row.id,
  workspaceId: row.workspace_id,
  sourceId: row.source_id,
  sourceName: row.source_name,
  receivedAt: row.received_at,
  reason: row.reason,
  detail: row.detail,
  verified: row.verified,
  body: row.body,
  bodyBytes: row.body_bytes,
  headers: row.headers,
  remoteAddress: row.remote_address,
  admittedAt: row.admitted_at,
});

const COLUMNS = `q.id, q.workspace_id, q.source_id, s.name AS source_name, q.received_at, q.reason, q.detail, q.verified,
  q.body_bytes, q.headers, q.remote_address, q.admitted_at`;

/** Refusals, newest first, without their bodies. */
export async function listQuarantine(
  workspaceId: WorkspaceId,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<QuarantineEntry>> {
  const after = cursor ? decodeCursor(cursor) : null;
  const { rows } = await pool().query<Row>(
    `SELECT ${COLUMNS}, ''::bytea AS body FROM quarantine q JOIN sources s ON s.id = q.source_id
     WHERE q.workspace_id = $1 AND ($2::timestamptz IS NULL OR (q.received_at, q.id) < ($2, $3))
     ORDER BY q.received_at DESC, q.id DESC LIMIT $4`,
    [workspaceId, after?.at ?? null, after?.tie ?? null, limit + 1],
  );
  const data = rows.slice(0, limit).map(entryOf);
  const last = data.at(-1);
  return { data, nextCursor: rows.length > limit && last ? encodeCursor(last.receivedAt, last.id) : null };
}

/** One refusal with its body; null when the workspace has none of that id. */
export async function findQuarantined(workspaceId: WorkspaceId, id: string): Promise<QuarantineEntry | null> {
  const { rows } = await pool().query<Row>(
    `SELECT ${COLUMNS}, q.body FROM quarantine q JOIN sources s ON s.id = q.source_id WHERE q.workspace_id = $1 AND q.id = $2`,
    [workspaceId, id],
  );
  return rows[0] ? entryOf(rows[0]) : null;
}

/** The kept bodies of some refusals, by their ids. */
export async function findQuarantineBodies(workspaceId: WorkspaceId, ids: string[]): Promise<Map<string, Buffer>> {
  if (ids.length === 0) return new Map();
  const { rows } = await pool().query<{ id: string; body: Buffer }>(
    "SELECT id, body FROM quarantine WHERE workspace_id = $1 AND id = ANY($2)",
    [workspaceId, ids],
  );
  return new Map(rows.map(({ id, body }) => [id, body]));
}

/** Which refusals an admission looks at. */
export type AdmissionFilter = { ids?: string[] | undefined; source?: string | undefined; reason?: QuarantineReason | undefined };

/**
 * Refusals that never verified and were not admitted, oldest first, with their
 * bodies: events are let in in the order in which they came.
 */
export async function listUnadmitted(
  workspaceId: WorkspaceId,
  { ids, source, reason }: AdmissionFilter,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<QuarantineEntry>> {
  const after = cursor ? decodeCursor(cursor) : null;
  const { rows } = await pool().query<Row>(
    `SELECT ${COLUMNS}, q.body FROM quarantine q JOIN sources s ON s.id = q.source_id
     WHERE q.workspace_id = $1 AND NOT q.verified AND q.admitted_at IS NULL
       AND ($2::text[] IS NULL OR q.id = ANY($2)) AND ($3::text IS NULL OR s.name = $3) AND ($4::text IS NULL OR q.reason = $4)
       AND ($5::timestamptz IS NULL OR (q.received_at, q.id) > ($5, $6))
     ORDER BY q.received_at, q.id LIMIT $7`,
    [workspaceId, ids ?? null, source ?? null, reason ?? null, after?.at ?? null, after?.tie ?? null, limit + 1],
  );
  const data = rows.slice(0, limit).map(entryOf);
  const last = data.at(-1);
  return { data, nextCursor: rows.length > limit && last ? encodeCursor(last.receivedAt, last.id) : null };
}

/** Marks refusals as admitted; those that already were stay as they are. */
export async function markAdmitted(workspaceId: WorkspaceId, ids: string[], by: string): Promise<void> {
  await pool().query(
    "UPDATE quarantine SET admitted_at = now(), admitted_by = $3 WHERE workspace_id = $1 AND id = ANY($2) AND admitted_at IS NULL",
    [workspaceId, ids, by],
  );
}

/** Refusals since a moment, at most 1,001 counted. */
export async function countQuarantinedSince(workspaceId: WorkspaceId, since: Date): Promise<number> {
  const { rows } = await pool().query<{ n: number }>(
    "SELECT count(*) AS n FROM (SELECT 1 FROM quarantine WHERE workspace_id = $1 AND received_at >= $2 AND admitted_at IS NULL LIMIT 1001) t",
    [workspaceId, since],
  );
  return rows[0]?.n ?? 0;
}

const KEEP_DAYS = 30;
const KEEP_PER_SOURCE = 10_000;

/** Bounds quarantine in age and number. @returns how many entries went */
export async function pruneQuarantine(): Promise<number> {
  const { rowCount } = await pool("worker").query(
    `DELETE FROM quarantine WHERE received_at < now() - make_interval(days => $1) OR id IN (
       SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY source_id ORDER BY received_at DESC, id DESC) AS n FROM quarantine) ranked
       WHERE n > $2)`,
    [KEEP_DAYS, KEEP_PER_SOURCE],
  );
  return rowCount ?? 0;
}

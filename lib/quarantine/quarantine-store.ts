import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { Page, Paging } from "#lib/contracts/api/parameters";
import { normalForms } from "#lib/contracts/api/plain-text";
import type { Diagnosis, QuarantineReason } from "#lib/contracts/quarantine";
import type { QuarantineCauseFilter, QuarantineFilter, QuarantineState } from "#lib/contracts/quarantine-filters";
import { bodiesWithinBytes, countCapped, MAX_COUNTED } from "#lib/db/bounded-query";
import { column, columnsSql, type RowOf } from "#lib/db/columns";
import { Cursor } from "#lib/db/cursor";
import { pool } from "#lib/db/pool";
import type { Connection } from "#lib/db/prisma";
import { countChanged, queryRow, queryRows, queryValues } from "#lib/db/rows";
import { CUTOFF, conditionsOf, containsSql, DAYS_KEPT, type FilterConditions, receivedFromSql, SqlValues } from "#lib/db/sql";
import type { SignatureForm } from "#lib/platform/signature";

const COLUMNS = {
  id: column<string>(),
  workspaceId: column<WorkspaceId>(),
  sourceId: column<SourceId>(),
  sourceName: column<string>("s.name"),
  receivedAt: column<Date>(),
  reason: column<QuarantineReason>(),
  detail: column<string>(),
  verified: column<boolean>(),
  /** Length before it was cut, in bytes. */
  bodyBytes: column<number>(),
  headers: column<Record<string, string>>(),
  remoteAddress: column<string | null>(),
  releasedAt: column<Date | null>(),
  /** Null when it did not verify, or came before this was recorded. */
  secretId: column<string | null>(),
  /** Null where `secretId` is, or it came before this was recorded. */
  signatureForm: column<SignatureForm | null>(),
  dismissedAt: column<Date | null>(),
  dismissedBy: column<string | null>(),
  /** Null before the worker looked. */
  diagnosis: column<Diagnosis | null>(),
  diagnosedWith: column<string | null>(),
};

/** `body` may be cut: compare its length with `bodyBytes`. */
export type QuarantinedRequest = RowOf<typeof COLUMNS> & { body: Buffer };

/** For queries that call the table q and its source s. */
export const QUARANTINE_COLUMNS = columnsSql(COLUMNS, "q");

/** For queries that call the table q and its source s. */
export const QUARANTINE_CAUSE_CONDITIONS: FilterConditions<QuarantineCauseFilter> = {
  q: (q, bind) => {
    const inBody = normalForms(q).map((text) => `position(convert_to(${bind(text)}::text, 'UTF8') in q.body) > 0`);
    return `(${containsSql("concat_ws(' ', q.id, q.remote_address, q.detail)", q, bind)} OR ${inBody.join(" OR ")})`;
  },
  reason: (reason, bind) => `q.reason = ${bind(reason)}`,
  diagnosis: (code, bind) => `q.diagnosis_code = ${bind(code)}`,
  about: (about, bind) => `q.diagnosis_about = ${bind(about)}`,
  source: (source, bind) => `s.name = ${bind(source)}`,
  ip: (ip, bind) => receivedFromSql("q.remote_address", ip, bind),
  from: (from, bind) => `q.received_at >= ${bind(from)}`,
  to: (to, bind) => `q.received_at < ${bind(to)}`,
};

export const IDS_CONDITION = (ids: string[], bind: (value: unknown) => string): string => `q.id = ANY(${bind(ids)}::text[])`;

const STATE_CONDITIONS: Record<QuarantineState, string> = {
  quarantined: "q.released_at IS NULL AND q.dismissed_at IS NULL",
  dismissed: "q.released_at IS NULL AND q.dismissed_at IS NOT NULL",
  released: "q.released_at IS NOT NULL",
};

const CONDITIONS: FilterConditions<QuarantineFilter> = {
  ...QUARANTINE_CAUSE_CONDITIONS,
  state: (state) => STATE_CONDITIONS[state],
};

const LIST_CURSOR = new Cursor("quarantine", { receivedAt: "time", id: "id" });

export async function listQuarantine(
  workspaceId: WorkspaceId,
  filter: QuarantineFilter,
  { limit, cursor }: Paging,
): Promise<Page<QuarantinedRequest>> {
  const after = LIST_CURSOR.decode(cursor, filter);
  const { values, bind } = new SqlValues(workspaceId);
  const where = ["q.workspace_id = $1", ...conditionsOf(CONDITIONS, filter, bind)];
  if (after) where.push(`(q.received_at, q.id) < (${bind(after.receivedAt)}, ${bind(after.id)})`);
  const { rows } = await pool().query<QuarantinedRequest>(
    `SELECT ${QUARANTINE_COLUMNS}, ''::bytea AS body FROM quarantine q JOIN sources s ON s.id = q.source_id
     WHERE ${where.join(" AND ")} ORDER BY q.received_at DESC, q.id DESC LIMIT ${bind(limit + 1)}`,
    values,
  );
  return { data: rows.slice(0, limit), nextCursor: LIST_CURSOR.next(rows, limit, filter) };
}

export const findQuarantined = (workspaceId: WorkspaceId, id: string, from: Connection = pool()): Promise<QuarantinedRequest | null> =>
  queryRow<QuarantinedRequest>(
    from,
    `SELECT ${QUARANTINE_COLUMNS}, q.body FROM quarantine q JOIN sources s ON s.id = q.source_id WHERE q.workspace_id = $1 AND q.id = $2`,
    [workspaceId, id],
  );

export async function findQuarantineBodies(workspaceId: WorkspaceId, ids: string[]): Promise<Map<string, Buffer>> {
  if (ids.length === 0) return new Map();
  const { rows } = await pool().query<{ id: string; body: Buffer }>(
    "SELECT id, body FROM quarantine WHERE workspace_id = $1 AND id = ANY($2)",
    [workspaceId, ids],
  );
  return new Map(rows.map(({ id, body }) => [id, body]));
}

/** A paused source may hold millions: more than this is shown as "10,000+". */
const MAX_OPEN_COUNTED = 10_001;

export const countQuarantined = (workspaceId: WorkspaceId): Promise<number> =>
  countCapped(
    "SELECT 1 FROM quarantine WHERE workspace_id = $1 AND released_at IS NULL AND dismissed_at IS NULL",
    [workspaceId],
    MAX_OPEN_COUNTED,
  );

const WAITING_SINCE =
  "SELECT source_id FROM quarantine WHERE workspace_id = $1 AND received_at >= $2 AND released_at IS NULL AND dismissed_at IS NULL";

export const countQuarantinedSince = (workspaceId: WorkspaceId, since: Date): Promise<number> =>
  countCapped(WAITING_SINCE, [workspaceId, since]);

/** SQL: true if a diagnosis makes a scanner unlikely; before there is one: if it verified, or reads as an event. */
export const LIKELY_REAL = "coalesce(likely_real, (verified AND reason <> 'source_paused') OR reads_as_event, false)";
/** SQL: true if it has a signature, and is likely a scanner's. */
const SIGNED = `(NOT ${LIKELY_REAL} AND reason NOT IN ('signature_missing', 'source_paused'))`;

/** Open requests since a moment, counted up to 1,001 each. */
export type QuarantineSuspicion = {
  /** All open requests, whenever they came. */
  open: number;
  total: number;
  genuine: Suspects;
  /** The others that have a signature. */
  signed: Suspects;
};

/** `sources`: the names of theirs. */
export type Suspects = { count: number; sources: string[] };

export async function weighQuarantineSince(workspaceId: WorkspaceId, since: Date): Promise<QuarantineSuspicion> {
  const [open, total, genuine, signed] = await Promise.all([
    countQuarantined(workspaceId),
    countQuarantinedSince(workspaceId, since),
    countSuspects(LIKELY_REAL, [workspaceId, since]),
    countSuspects(SIGNED, [workspaceId, since]),
  ]);
  return { open, total, genuine, signed };
}

/** SQL: the open requests of a source that verified; $3 is a reason, or null for any. */
const VERIFIED_OF = `q.workspace_id = $1 AND q.source_id = $2 AND q.verified AND q.released_at IS NULL AND q.dismissed_at IS NULL
  AND ($3::text IS NULL OR q.reason = $3)`;

async function countSuspects(which: string, values: [WorkspaceId, Date]): Promise<Suspects> {
  const { rows } = await pool().query<Suspects>(
    `SELECT count(*) AS count, coalesce(array_agg(DISTINCT s.name), '{}') AS sources
       FROM (${WAITING_SINCE} AND ${which} LIMIT ${MAX_COUNTED}) q JOIN sources s ON s.id = q.source_id`,
    values,
  );
  return rows[0] ?? { count: 0, sources: [] };
}

/** Lists the newest open requests of a source that verified; at most 16 MB of bodies. */
export const listVerifiedOf = (
  workspaceId: WorkspaceId,
  sourceId: SourceId,
  limit: number,
  reason: QuarantineReason | null = null,
): Promise<QuarantinedRequest[]> =>
  queryRows<QuarantinedRequest>(
    pool(),
    bodiesWithinBytes(
      `SELECT ${QUARANTINE_COLUMNS}, q.body FROM quarantine q JOIN sources s ON s.id = q.source_id
       WHERE ${VERIFIED_OF} ORDER BY q.received_at DESC, q.id DESC LIMIT $4`,
      '"receivedAt" DESC, id DESC',
    ),
    [workspaceId, sourceId, reason, limit],
  );

/** Counts what `listVerifiedOf` lists, up to 10,001. */
export const countVerifiedOf = (workspaceId: WorkspaceId, sourceId: SourceId, reason: QuarantineReason): Promise<number> =>
  countCapped(`SELECT 1 FROM quarantine q WHERE ${VERIFIED_OF}`, [workspaceId, sourceId, reason], MAX_OPEN_COUNTED);

export const countRejectedWithin = (minutes: number): Promise<{ workspaceId: WorkspaceId; source: string; requests: number }[]> =>
  queryRows<{ workspaceId: WorkspaceId; source: string; requests: number }>(
    pool(),
    `SELECT q.workspace_id AS "workspaceId", s.name AS source, count(*) AS requests FROM quarantine q JOIN sources s ON s.id = q.source_id
      WHERE q.received_at > now() - make_interval(mins => $1) AND q.reason <> 'source_paused'
      GROUP BY q.workspace_id, s.name ORDER BY count(*) DESC, s.name`,
    [minutes],
  );

/** SQL: true for a request that came while its source was paused and is neither released nor dismissed. */
const HELD = "q.reason = 'source_paused' AND q.released_at IS NULL AND q.dismissed_at IS NULL";

/** `held` is counted up to 1,001. */
type HoldingSource = { id: string; name: string; held: number };

export const listHolding = (workspaceId: WorkspaceId): Promise<HoldingSource[]> =>
  queryRows<HoldingSource>(
    pool(),
    `SELECT s.id, s.name, (SELECT count(*)::int FROM (
       SELECT 1 FROM quarantine q WHERE q.workspace_id = s.workspace_id AND q.source_id = s.id AND ${HELD} LIMIT ${MAX_COUNTED}) h) AS held
       FROM sources s WHERE s.workspace_id = $1 AND s.paused_at IS NOT NULL AND s.archived_at IS NULL ORDER BY s.name`,
    [workspaceId],
  );

/** True if a source holds requests. Within the transaction that resumes it, none comes after. */
export async function holdsAny(client: pg.PoolClient, workspaceId: WorkspaceId, sourceId: SourceId): Promise<boolean> {
  const { rows } = await client.query<{ any: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM quarantine q WHERE q.workspace_id = $1 AND q.source_id = $2 AND ${HELD}) AS any`,
    [workspaceId, sourceId],
  );
  return rows[0]?.any ?? false;
}

const KEEP_DAYS = 30;
const KEEP_PER_SOURCE = 10_000;

/** Bounds requests that never verified in age and number. Verified ones were acknowledged, and retention deletes them. */
export const pruneUnverified = (): Promise<number> =>
  countChanged(
    pool("worker"),
    `DELETE FROM quarantine WHERE NOT verified AND (received_at < now() - make_interval(days => $1) OR id IN (
       SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY source_id ORDER BY received_at DESC, id DESC) AS n
                         FROM quarantine WHERE NOT verified) ranked
       WHERE n > $2))`,
    [KEEP_DAYS, KEEP_PER_SOURCE],
  );

export const deleteOldRejections = (): Promise<number> =>
  countChanged(pool("worker"), "DELETE FROM rejection_minutes WHERE minute < now() - make_interval(days => $1)", [KEEP_DAYS]);

/** SQL: true for a verified request beyond retention. One that a paused source holds is kept until that is resumed. */
const EXPIRED = `q.verified AND NOT (${HELD}) AND q.received_at < ${CUTOFF(DAYS_KEPT)}`;

export const listExpiredQuarantines = (): Promise<WorkspaceId[]> =>
  queryValues<{ id: WorkspaceId }>(
    pool("worker"),
    `SELECT w.id FROM workspaces w WHERE EXISTS (
       SELECT 1 FROM quarantine q JOIN sources s ON s.id = q.source_id WHERE q.workspace_id = w.id AND ${EXPIRED})`,
  );

/** `released`: number of them that had become events. */
type ExpiredQuarantine = { count: number; released: number; from: Date; to: Date };

/** Deletes the oldest verified requests beyond the workspace's retention; null when there are none. */
export async function deleteExpiredQuarantine(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  limit: number,
): Promise<ExpiredQuarantine | null> {
  const { rows } = await client.query<{ count: number; released: number; from: Date | null; to: Date | null }>(
    `WITH gone AS (
       DELETE FROM quarantine WHERE id IN (
         SELECT q.id FROM quarantine q JOIN workspaces w ON w.id = q.workspace_id JOIN sources s ON s.id = q.source_id
         WHERE q.workspace_id = $1 AND ${EXPIRED}
         ORDER BY q.received_at, q.id LIMIT $2)
       RETURNING received_at, released_at)
     SELECT count(*), count(released_at) AS released, min(received_at) AS "from", max(received_at) AS "to" FROM gone`,
    [workspaceId, limit],
  );
  const [row] = rows;
  return row?.from && row.to ? { count: row.count, released: row.released, from: row.from, to: row.to } : null;
}

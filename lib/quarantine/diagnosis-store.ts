import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { Diagnosis, DiagnosisCode } from "#lib/contracts/quarantine";
import type { QuarantineCauseFilter } from "#lib/contracts/quarantine-filters";
import { bodiesWithinBytes } from "#lib/db/bounded-query";
import { arraysOf } from "#lib/db/columns";
import { inTransaction, pool } from "#lib/db/pool";
import type { Connection } from "#lib/db/prisma";
import { queryRow, queryRows } from "#lib/db/rows";
import { conditionsOf, SqlValues } from "#lib/db/sql";
import {
  LIKELY_REAL,
  QUARANTINE_CAUSE_CONDITIONS,
  QUARANTINE_COLUMNS,
  type QuarantinedRequest,
  type Suspects,
} from "./quarantine-store.ts";

/** Lock per workspace: a release skips locked rows, so it and diagnosing must not run at once. */
const LOCK = "hashtext('quarantine_diagnosis'), hashtext($1)";

/** Keeps diagnoses from being written until the transaction ends, so that a release finds every row free. */
export async function holdDiagnoses(client: Connection, workspaceId: WorkspaceId): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock_shared(${LOCK})`, [workspaceId]);
}

/** Runs the work unless another process does: all workers together spend as much as one may. */
export const aloneInInstallation = (work: () => Promise<void>): Promise<void> =>
  inTransaction(pool("worker"), async (client) => {
    const { rows } = await client.query<{ free: boolean }>(
      "SELECT pg_try_advisory_xact_lock(hashtext('quarantine_diagnosis'), hashtext('')) AS free",
    );
    if (rows[0]?.free) await work();
  });

export type QuarantiningSource = { workspaceId: WorkspaceId; sourceId: SourceId };

export const listUndiagnosedSources = (): Promise<QuarantiningSource[]> =>
  queryRows<QuarantiningSource>(
    pool("worker"),
    `SELECT DISTINCT workspace_id AS "workspaceId", source_id AS "sourceId" FROM quarantine WHERE released_at IS NULL AND diagnosed_with IS NULL`,
  );

/** Lists a source's newest requests whose diagnosis differs from a digest of today's knowledge, or (null) that have none; 16 MB at most. */
export const listToDiagnose = (
  { workspaceId, sourceId }: QuarantiningSource,
  knownWith: string | null,
  limit: number,
): Promise<QuarantinedRequest[]> =>
  queryRows<QuarantinedRequest>(
    pool("worker"),
    bodiesWithinBytes(
      `SELECT ${QUARANTINE_COLUMNS}, q.body FROM quarantine q JOIN sources s ON s.id = q.source_id
       WHERE q.workspace_id = $1 AND q.source_id = $2 AND q.released_at IS NULL
         AND ${knownWith === null ? "q.diagnosed_with IS NULL AND $3::text IS NULL" : "q.diagnosed_with IS DISTINCT FROM $3"}
       ORDER BY q.received_at DESC, q.id DESC LIMIT $4`,
      '"receivedAt" DESC, id DESC',
    ),
    [workspaceId, sourceId, knownWith, limit],
  );

/** `diagnosis`: null where diagnosing failed. */
export type FoundDiagnosis = { id: string; diagnosis: Diagnosis | null; likelyReal: boolean; diagnosedWith: string };

/** Stores diagnoses of unlocked requests. Returns false while a release of the workspace is at work: nothing is stored. */
export async function storeDiagnoses(workspaceId: WorkspaceId, found: FoundDiagnosis[]): Promise<boolean> {
  if (found.length === 0) return true;
  return inTransaction(pool("worker"), async (client) => {
    // A slow release must not hold up the other workspaces.
    const { rows } = await client.query<{ free: boolean }>(`SELECT pg_try_advisory_xact_lock(${LOCK}) AS free`, [workspaceId]);
    if (!rows[0]?.free) return false;
    await client.query(
      `WITH found AS (
         SELECT * FROM unnest($2::text[], $3::jsonb[], $4::boolean[], $5::text[]) AS f (id, diagnosis, likely_real, diagnosed_with)
       ), free AS (
         SELECT q.id FROM quarantine q WHERE q.workspace_id = $1 AND q.id = ANY($2) ORDER BY q.id FOR UPDATE SKIP LOCKED
       )
       UPDATE quarantine q SET diagnosis = f.diagnosis, diagnosis_code = f.diagnosis->>'code', diagnosis_about = f.diagnosis->>'about',
         likely_real = f.likely_real, diagnosed_with = f.diagnosed_with
       FROM found f JOIN free USING (id) WHERE q.id = f.id`,
      [workspaceId, ...arraysOf(found, "id", "diagnosis", "likelyReal", "diagnosedWith")],
    );
    return true;
  });
}

export type DiagnosisGroup = {
  sourceId: SourceId;
  source: string;
  /** Null while not diagnosed. */
  code: DiagnosisCode | null;
  about: string | null;
  count: number;
  /** Can be released unchanged. */
  releasable: number;
  likelyReal: boolean;
  senders: number;
  firstAt: Date;
  lastAt: Date;
  diagnosis: Diagnosis | null;
  /** All rejected requests of the source between the first and the last of them, and the number kept. */
  rejected: number;
  kept: number;
  /** In some minute the limits may have been the reason. */
  limited: boolean;
};

/** Requests kept in a minute below which no limit was reached: 4 MB are 64 of the largest, and a limit's minute lies in two of the clock's. */
const NEVER_LIMITED = 32;

/** Groups beyond these are of a few odd requests each; `total` counts them all the same. */
const MAX_GROUPS = 100;

/** Groups open requests by source and diagnosis, likely real ones first, then the largest. */
export async function listDiagnosisGroups(
  workspaceId: WorkspaceId,
  filter: QuarantineCauseFilter,
): Promise<(DiagnosisGroup & { total: number })[]> {
  const { values, bind } = new SqlValues(workspaceId);
  const where = [
    "q.workspace_id = $1",
    "q.released_at IS NULL",
    "q.dismissed_at IS NULL",
    ...conditionsOf(QUARANTINE_CAUSE_CONDITIONS, filter, bind),
  ];
  return queryRows<DiagnosisGroup & { total: number }>(
    pool(),
    `SELECT g.*, n.diagnosis, coalesce(m.rejected, 0) AS rejected, coalesce(m.kept, 0) AS kept, coalesce(m.most >= ${NEVER_LIMITED}, false) AS limited FROM (
       SELECT q.source_id AS "sourceId", s.name AS source, q.diagnosis_code AS code, q.diagnosis_about AS about, count(*) AS count,
              count(*) FILTER (WHERE (q.diagnosis->>'verifiesNow')::boolean) AS releasable,
              bool_or(${LIKELY_REAL}) AS "likelyReal", count(DISTINCT q.remote_address) AS senders,
              min(q.received_at) AS "firstAt", max(q.received_at) AS "lastAt",
              sum(count(*)) OVER ()::int AS total
         FROM quarantine q JOIN sources s ON s.id = q.source_id
        WHERE ${where.join(" AND ")}
        GROUP BY q.source_id, s.name, q.diagnosis_code, q.diagnosis_about
        ORDER BY "likelyReal" DESC, count DESC, source, code, about LIMIT ${MAX_GROUPS}) g
       LEFT JOIN LATERAL (
         SELECT sum(m.rejected)::int AS rejected, sum(m.kept)::int AS kept, max(m.kept) AS most FROM rejection_minutes m
          WHERE m.source_id = g."sourceId" AND m.minute >= date_trunc('minute', g."firstAt") AND m.minute <= g."lastAt") m ON true
       LEFT JOIN LATERAL (
         SELECT diagnosis FROM quarantine n
          WHERE n.workspace_id = $1 AND n.received_at = g."lastAt" AND n.source_id = g."sourceId" AND n.released_at IS NULL
            AND n.diagnosis_code IS NOT DISTINCT FROM g.code AND n.diagnosis_about IS NOT DISTINCT FROM g.about
          LIMIT 1) n ON true
      ORDER BY g."likelyReal" DESC, g.count DESC, g.source, g.code, g.about`,
    values,
  );
}

type LargestReal = { code: DiagnosisCode | null; about: string | null } & Suspects;

/** Bounds the requests that are read: the overview asks often, and as many are kept of a source. */
const MAX_WEIGHED = 10_000;

export const findLargestReal = (workspaceId: WorkspaceId, since: Date): Promise<LargestReal | null> =>
  queryRow<LargestReal>(
    pool(),
    `SELECT diagnosis_code AS code, diagnosis_about AS about, count(*) AS count, array_agg(DISTINCT s.name) AS sources FROM (
       SELECT source_id, diagnosis_code, diagnosis_about FROM quarantine
        WHERE workspace_id = $1 AND received_at >= $2 AND released_at IS NULL AND dismissed_at IS NULL AND ${LIKELY_REAL}
        LIMIT ${MAX_WEIGHED}) q JOIN sources s ON s.id = q.source_id
      GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2 LIMIT 1`,
    [workspaceId, since],
  );

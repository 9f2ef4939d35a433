import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { Diagnosis, DiagnosisCode } from "#lib/contracts/diagnosis";
import type { QuarantineCauseFilter } from "#lib/contracts/filters/quarantine-filters";
import { conditionsOf, SqlValues } from "#lib/db/filter-conditions";
import { pool } from "#lib/db/pool";
import { LIKELY_REAL, QUARANTINE_CAUSE_CONDITIONS } from "./quarantine-store.ts";

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
};

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
  const { rows } = await pool().query<DiagnosisGroup & { total: number }>(
    `SELECT g.*, n.diagnosis, coalesce(m.rejected, 0) AS rejected, coalesce(m.kept, 0) AS kept FROM (
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
         SELECT sum(m.rejected)::int AS rejected, sum(m.kept)::int AS kept FROM rejection_minutes m
          WHERE m.source_id = g."sourceId" AND m.minute >= date_trunc('minute', g."firstAt") AND m.minute <= g."lastAt") m ON true
       LEFT JOIN LATERAL (
         SELECT diagnosis FROM quarantine n
          WHERE n.workspace_id = $1 AND n.received_at = g."lastAt" AND n.source_id = g."sourceId" AND n.released_at IS NULL
            AND n.diagnosis_code IS NOT DISTINCT FROM g.code AND n.diagnosis_about IS NOT DISTINCT FROM g.about
          LIMIT 1) n ON true
      ORDER BY g."likelyReal" DESC, g.count DESC, g.source, g.code, g.about`,
    values,
  );
  return rows;
}

export type LargestReal = { code: DiagnosisCode | null; about: string | null; count: number };

/** Bounds the requests that are read: the overview asks often, and as many are kept of a source. */
const MAX_WEIGHED = 10_000;

export async function findLargestReal(workspaceId: WorkspaceId, since: Date): Promise<LargestReal | null> {
  const { rows } = await pool().query<LargestReal>(
    `SELECT diagnosis_code AS code, diagnosis_about AS about, count(*) AS count FROM (
       SELECT diagnosis_code, diagnosis_about FROM quarantine
        WHERE workspace_id = $1 AND received_at >= $2 AND released_at IS NULL AND dismissed_at IS NULL AND ${LIKELY_REAL}
        LIMIT ${MAX_WEIGHED}) q
      GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2 LIMIT 1`,
    [workspaceId, since],
  );
  return rows[0] ?? null;
}

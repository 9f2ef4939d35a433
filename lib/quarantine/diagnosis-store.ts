import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { Diagnosis } from "#lib/contracts/diagnosis";
import { inTransaction, pool } from "#lib/db/pool";
import { bodiesWithinBytes } from "#lib/db/within-bytes";
import { QUARANTINE_COLUMNS, type QuarantinedRequest, type QuarantineRow, quarantinedRequestOf } from "./quarantine-store.ts";

/** Lock per workspace: a release skips locked rows, so it and diagnosing must not run at once. */
const LOCK = "hashtext('quarantine_diagnosis'), hashtext($1)";

/** Keeps diagnoses from being written until the transaction ends, so that a release finds every row free. */
export async function holdDiagnoses(client: pg.Pool | pg.PoolClient, workspaceId: WorkspaceId): Promise<void> {
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

export async function listUndiagnosedSources(): Promise<QuarantiningSource[]> {
  const { rows } = await pool("worker").query<QuarantiningSource>(
    `SELECT DISTINCT workspace_id AS "workspaceId", source_id AS "sourceId" FROM quarantine WHERE released_at IS NULL AND diagnosed_with IS NULL`,
  );
  return rows;
}

/** Lists a source's newest requests whose diagnosis differs from a digest of today's knowledge, or (null) that have none; 16 MB at most. */
export async function listToDiagnose(
  { workspaceId, sourceId }: QuarantiningSource,
  knownWith: string | null,
  limit: number,
): Promise<QuarantinedRequest[]> {
  const { rows } = await pool("worker").query<QuarantineRow>(
    bodiesWithinBytes(
      `SELECT ${QUARANTINE_COLUMNS}, q.body FROM quarantine q JOIN sources s ON s.id = q.source_id
       WHERE q.workspace_id = $1 AND q.source_id = $2 AND q.released_at IS NULL
         AND ${knownWith === null ? "q.diagnosed_with IS NULL AND $3::text IS NULL" : "q.diagnosed_with IS DISTINCT FROM $3"}
       ORDER BY q.received_at DESC, q.id DESC LIMIT $4`,
      "received_at DESC, id DESC",
    ),
    [workspaceId, sourceId, knownWith, limit],
  );
  return rows.map(quarantinedRequestOf);
}

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
      [
        workspaceId,
        found.map(({ id }) => id),
        found.map(({ diagnosis }) => diagnosis && JSON.stringify(diagnosis)),
        found.map(({ likelyReal }) => likelyReal),
        found.map(({ diagnosedWith }) => diagnosedWith),
      ],
    );
    return true;
  });
}

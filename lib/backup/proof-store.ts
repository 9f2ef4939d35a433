import { newId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { GONE, REACHED_STORE, SILENCE } from "./run-store.ts";

/** After one that failed, the next waits so long, or the schedule's interval where that is shorter. */
const REST_AFTER_FAILURE = "6 hours";
/** Of each, one row is kept for what it says; those whose database is gone. */
const MAX_ROWS = 50;

const LOCK = "SELECT pg_advisory_xact_lock(hashtext('backup_proofs'))";

/** A proof that is to be run: the backup to restore, and the name of the scratch database. */
export type ClaimedProof = { id: string; file: string; database: string };

/**
 * Begins the proof that is due: of the newest good backup in a store. Null when none is due, there is no backup, or another
 * worker is at it. One whose worker fell silent has failed.
 *
 * @param everyMs the interval in milliseconds
 * @param database a name that nobody else has
 */
export async function claimProof(
  runner: string,
  { everyMs, store, database }: { everyMs: number; store: string; database: string },
): Promise<ClaimedProof | null> {
  return inTransaction(pool("worker"), async (client) => {
    await client.query(LOCK);
    await client.query(
      `UPDATE backup_proofs SET state = 'failed', failure = $1, finished_at = now()
       WHERE state = 'running' AND beat_at < now() - interval '${SILENCE}'`,
      [GONE],
    );
    const { rows } = await client.query<{ file: string | null }>(
      `SELECT file FROM backups WHERE ${REACHED_STORE} AND stored AND store = $1
         AND NOT EXISTS (SELECT 1 FROM backup_proofs p WHERE p.state = 'running'
           OR (p.state = 'done' AND p.finished_at > now() - $2 * interval '1 millisecond')
           OR (p.state = 'failed' AND p.finished_at > now() - least($2 * interval '1 millisecond', interval '${REST_AFTER_FAILURE}')))
       ORDER BY started_at DESC LIMIT 1`,
      [store, everyMs],
    );
    const file = rows[0]?.file;
    if (!file) return null;
    const id = newId("bkp");
    await prisma(client).backupProof.createMany({ data: { id, state: "running", file, database, runner } });
    return { id, file, database };
  });
}

/** Says that it goes on. @returns whether to go on: not when it was taken for dead */
export async function beatProof(id: string): Promise<boolean> {
  const { rowCount } = await pool("worker").query("UPDATE backup_proofs SET beat_at = now() WHERE id = $1 AND state = 'running'", [id]);
  return rowCount === 1;
}

/** Notes the end. @param failure why it failed, in words; null for a good one */
export async function finishProof(id: string, failure: string | null): Promise<void> {
  await pool("worker").query(
    `UPDATE backup_proofs SET state = CASE WHEN $2::text IS NULL THEN 'done' ELSE 'failed' END, failure = $2, finished_at = now()
     WHERE id = $1 AND state = 'running'`,
    [id, failure],
  );
}

/** Ends one that was stopped with its worker: it is due again at once. */
export async function giveUpProof(id: string): Promise<void> {
  await prisma(pool("worker")).backupProof.updateMany({
    where: { id, state: "running" },
    data: { state: "failed", failure: GONE, finishedAt: new Date(0) },
  });
}

/** The scratch databases of proofs that have ended, or whose worker fell silent, which nobody dropped yet. */
export async function listScratch(): Promise<string[]> {
  const { rows } = await pool("worker").query<{ database: string }>(
    `SELECT database FROM backup_proofs WHERE NOT dropped AND (state <> 'running' OR beat_at < now() - interval '${SILENCE}')`,
  );
  return rows.map(({ database }) => database);
}

/** The scratch databases of proofs that go on. */
export async function listScratchInUse(): Promise<string[]> {
  const { rows } = await pool("worker").query<{ database: string }>(
    `SELECT database FROM backup_proofs WHERE state = 'running' AND beat_at >= now() - interval '${SILENCE}'`,
  );
  return rows.map(({ database }) => database);
}

/** Notes that scratch databases are gone, and forgets the oldest proofs but the last good one. */
export async function markDropped(databases: string[]): Promise<void> {
  await prisma(pool("worker")).backupProof.updateMany({ where: { database: { in: databases } }, data: { dropped: true } });
  await pool("worker").query(
    `DELETE FROM backup_proofs WHERE dropped AND state <> 'running'
       AND id IN (SELECT id FROM backup_proofs ORDER BY started_at DESC OFFSET ${MAX_ROWS})
       AND id IS DISTINCT FROM (SELECT id FROM backup_proofs WHERE state = 'done' ORDER BY finished_at DESC LIMIT 1)`,
  );
}

/** The last good proof, why the latest failed, and for how long there might have been one: since the first stored backup. */
export type LastProof = { provedAt: Date | null; file: string | null; failure: string | null; ageSeconds: number };

/** Returns how the proofs stand. */
export async function findLastProof(): Promise<LastProof> {
  const { rows } = await pool().query<LastProof>(
    `SELECT good.finished_at AS "provedAt", good.file, latest.failure,
       greatest(0, coalesce(extract(epoch FROM now() - coalesce(good.finished_at, first.at)), 0))::float8 AS "ageSeconds"
     FROM (SELECT min(started_at) AS at FROM backups WHERE ${REACHED_STORE}) first
     LEFT JOIN LATERAL (SELECT finished_at, file FROM backup_proofs WHERE state = 'done' ORDER BY finished_at DESC LIMIT 1) good ON true
     LEFT JOIN LATERAL (SELECT failure FROM backup_proofs WHERE state <> 'running' AND finished_at > to_timestamp(0)
       ORDER BY started_at DESC LIMIT 1) latest ON true`,
  );
  return rows[0] ?? { provedAt: null, file: null, failure: null, ageSeconds: 0 };
}

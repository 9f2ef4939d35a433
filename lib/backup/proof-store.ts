import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import type pg from "pg";
import { newId } from "#lib/contracts/api/ids";
import { formatNumber } from "#lib/contracts/format-count";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { changesOne, queryValues } from "#lib/db/rows";
import { GONE, REACHED_STORE, SILENCE } from "./backup-store.ts";
import { BackupError } from "./format/backup-file.ts";

/** Wait after a failure, or the schedule's interval if that is shorter. */
const REST_AFTER_FAILURE = "6 hours";
/** Rows kept of proofs whose database is dropped. */
const MAX_ROWS = 50;

const LOCK = "SELECT pg_advisory_xact_lock(hashtext('backup_proofs'))";

export type ClaimedProof = { id: string; file: string; database: string };

/** Begins the due proof of a store's newest good backup; null if none is due or one is running. Fails one whose worker fell silent. */
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

/** Returns false if the proof was taken for dead. */
export const beatProof = (id: string): Promise<boolean> =>
  changesOne(pool("worker"), "UPDATE backup_proofs SET beat_at = now() WHERE id = $1 AND state = 'running'", [id]);

export async function finishProof(id: string, failure: string | null): Promise<void> {
  await pool("worker").query(
    `UPDATE backup_proofs SET state = CASE WHEN $2::text IS NULL THEN 'done' ELSE 'failed' END, failure = $2, finished_at = now()
     WHERE id = $1 AND state = 'running'`,
    [id, failure],
  );
}

/** Ends a proof that stopped with its worker: it is due again at once. */
export async function giveUpProof(id: string): Promise<void> {
  await prisma(pool("worker")).backupProof.updateMany({
    where: { id, state: "running" },
    data: { state: "failed", failure: GONE, finishedAt: new Date(0) },
  });
}

/** Lists databases of ended or silent proofs that nobody dropped yet. */
export const listScratch = (): Promise<string[]> =>
  queryValues<{ database: string }>(
    pool("worker"),
    `SELECT database FROM backup_proofs WHERE NOT dropped AND (state <> 'running' OR beat_at < now() - interval '${SILENCE}')`,
  );

export const listScratchInUse = (): Promise<string[]> =>
  queryValues<{ database: string }>(
    pool("worker"),
    `SELECT database FROM backup_proofs WHERE state = 'running' AND beat_at >= now() - interval '${SILENCE}'`,
  );

/** Forgets the oldest proofs too, but never the last good one. */
export async function markDropped(databases: string[]): Promise<void> {
  await prisma(pool("worker")).backupProof.updateMany({ where: { database: { in: databases } }, data: { dropped: true } });
  await pool("worker").query(
    `DELETE FROM backup_proofs WHERE dropped AND state <> 'running'
       AND id IN (SELECT id FROM backup_proofs ORDER BY started_at DESC OFFSET ${MAX_ROWS})
       AND id IS DISTINCT FROM (SELECT id FROM backup_proofs WHERE state = 'done' ORDER BY finished_at DESC LIMIT 1)`,
  );
}

/** `ageSeconds`: since the last good proof, else since the first stored backup. */
type LastProof = { provedAt: Date | null; file: string | null; failure: string | null; ageSeconds: number };

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

/** A restored database needs about the size of its origin, plus the log of the restore. */
const ROOM = 1.5;

/** Creates an empty database. @returns its URL @throws BackupError without the right or, on this machine, the room */
export async function createScratch(client: pg.Client, name: string, databaseUrl: string): Promise<string> {
  await requireRight(client);
  await requireRoom(client);
  // Nobody is connected to template0: a connection would block this.
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} TEMPLATE template0`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops a scratch database with its connections; a missing one is no error. */
export async function dropScratch(client: pg.Client, name: string): Promise<void> {
  await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
}

async function requireRight(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ may: boolean; role: string }>(
    "SELECT rolcreatedb OR rolsuper AS may, rolname AS role FROM pg_roles WHERE rolname = current_user",
  );
  if (rows[0]?.may !== false) return;
  throw new BackupError(
    `The database role ${rows[0].role} may not create a database, so that no backup can be restored beside this one. Run: ALTER ROLE ${client.escapeIdentifier(rows[0].role)} CREATEDB. Or set BACKUP_PROVE_EVERY=0 and restore one elsewhere yourself.`,
  );
}

/** Keeps the copy from filling the disk, which would stop the database. No server tells the room on another machine. */
async function requireRoom(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ bytes: number; folder: string | null }>(
    `SELECT pg_database_size(current_database())::float8 AS bytes,
       CASE WHEN pg_has_role('pg_read_all_settings', 'USAGE') THEN current_setting('data_directory', true) END AS folder`,
  );
  const [found] = rows;
  if (!found?.folder || !existsSync(found.folder)) return;
  const { bavail, bsize } = await statfs(found.folder);
  if (bavail * bsize > found.bytes * ROOM) return;
  throw new BackupError(
    `The database's disk has no room for the copy that a test restore makes (${formatNumber(Math.ceil((found.bytes * ROOM) / 1_000_000))} MB). Free up space, or set BACKUP_PROVE_EVERY=0 and test a restore elsewhere.`,
  );
}

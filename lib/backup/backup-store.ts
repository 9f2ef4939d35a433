import type pg from "pg";
import { newId } from "#lib/contracts/api/ids";
import { type Backup, backup } from "#lib/contracts/backups";
import { answered } from "#lib/db/columns";
import type { Prisma } from "#lib/db/generated/client";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { queryCount, queryRows, queryValue, queryValues } from "#lib/db/rows";

const UNSEEN = { place: true, stopRequested: true, runner: true, beatAt: true } satisfies Prisma.BackupOmit;
type Row = Prisma.BackupGetPayload<{ omit: typeof UNSEEN }>;

const LISTED = 20;
export const SILENCE = "60 seconds";
/** Wait of the schedule after a failed or stopped backup. */
const REST_AFTER_FAILURE = "1 hour";

const LOCK = "SELECT pg_advisory_xact_lock(hashtext('backups'))";
export const ONLY_THE_FILE = "The file in BACKUP_DIR is complete, but its copy to the store failed: ";
/** SQL condition: reached its store whole; it may be deleted there by now. */
export const REACHED_STORE = "state = 'done' AND failure IS NULL AND store IS NOT NULL";
export const GONE = "The worker that was making it exited before it finished.";

/** A written and checked file stays good if the worker falls silent while sending its copy. */
const FAIL_SILENT = `UPDATE backups SET state = CASE WHEN file_bytes IS NULL THEN 'failed' ELSE 'done' END,
    failure = CASE WHEN file_bytes IS NULL THEN '' ELSE '${ONLY_THE_FILE}' END || $1, finished_at = now(), phase = NULL
  WHERE state = 'running' AND beat_at < now() - interval '${SILENCE}'`;

/** SQL condition: a good backup that is in its store or folder. What retention deleted doesn't count. */
const GOOD = `((state = 'done' OR file_bytes IS NOT NULL) AND (kept AND missing_since IS NULL OR stored AND ${REACHED_STORE}))`;
/** SQL condition: a good backup missing from its folder and in no store. */
const MISSING = `(state = 'done' AND kept AND missing_since IS NOT NULL AND NOT (stored AND ${REACHED_STORE}))`;

const backupOf = (row: Row): Backup => {
  const stored = row.stored && row.failure === null;
  return answered(backup, {
    ...row,
    state: row.state as Backup["state"],
    phase: row.phase as Backup["phase"],
    done: Number(row.done),
    total: Number(row.total),
    kept: row.kept || stored,
    missing: row.state === "done" && row.kept && row.missingSince !== null && !(stored && row.store !== null),
    store: row.state === "done" && row.failure !== null ? null : row.store,
    events: row.events === null ? null : Number(row.events),
    fileBytes: row.fileBytes === null ? null : Number(row.fileBytes),
  });
};

/** Returns the waiting or running backup instead if there is one. */
export async function insertBackup(): Promise<{ outcome: "started" | "busy"; backup: Backup }> {
  return inTransaction(pool(), async (client) => {
    await client.query(LOCK);
    const busy = await prisma(client).backup.findFirst({ where: { state: { in: ["queued", "running"] } }, omit: UNSEEN });
    if (busy) return { outcome: "busy", backup: backupOf(busy) };
    const made = await prisma(client).backup.create({ data: { id: newId("bak"), state: "queued", requested: true }, omit: UNSEEN });
    return { outcome: "started", backup: backupOf(made) };
  });
}

export async function listBackups(): Promise<Backup[]> {
  return (await prisma().backup.findMany({ omit: UNSEEN, orderBy: { createdAt: "desc" }, take: LISTED })).map(backupOf);
}

/** `ageSeconds`: since the last good backup began, else since set-up. */
type LastGood = {
  lastGoodAt: Date | null;
  ageSeconds: number;
  /** The same for the store; while none is there, since the first that was to go there. */
  storedAgeSeconds: number;
  /** Good backups, among those that the schedule keeps, whose files are missing. */
  missing: number;
};

/** @param store s3://bucket/prefix; null for none @param keep how many the schedule keeps */
export async function findLastGood(store: string | null, keep: number): Promise<LastGood> {
  const { rows } = await pool().query<{ at: Date | null; age: number; storedAge: number | null; missing: number }>(
    `SELECT g.at, (SELECT count(*) FROM (SELECT ${MISSING} AS gone FROM backups WHERE state = 'done' ORDER BY started_at DESC LIMIT $2) n
         WHERE gone) AS missing, extract(epoch FROM now() - coalesce(g.at, m.at))::float8 AS age, s.age AS "storedAge"
     FROM (SELECT max(started_at) AS at FROM backups WHERE ${GOOD}) g, (SELECT min(finished_at) AS at FROM _prisma_migrations) m,
       (SELECT extract(epoch FROM now() - coalesce(max(started_at) FILTER (WHERE ${REACHED_STORE}),
          min(started_at)))::float8 AS age FROM backups WHERE store = $1) s`,
    [store, keep],
  );
  const [found] = rows;
  return {
    missing: found?.missing ?? 0,
    lastGoodAt: found?.at ?? null,
    ageSeconds: Math.max(0, found?.age ?? 0),
    storedAgeSeconds: Math.max(0, found?.storedAge ?? 0),
  };
}

/** Stops a waiting backup, or asks a running one to stop. @returns its ID */
export const requestStop = (): Promise<string | null> =>
  queryValue<{ id: string }>(
    pool(),
    `UPDATE backups SET stop_requested = true,
       finished_at = CASE WHEN state = 'queued' THEN now() ELSE finished_at END,
       state = CASE WHEN state = 'queued' THEN 'stopped' ELSE state END
     WHERE state IN ('queued', 'running') RETURNING id`,
  );

export type Written = { events: number; fileBytes: number };

/** `written`: the file is whole but did not reach the store, and is sent again. */
export type ClaimedBackup = { id: string; file: string; written: Written | null };

/** Claims the requested or due backup, or the newest to send again an hour after the store failed; null if one is running. */
export async function claimBackup(
  runner: string,
  everyMs: number,
  { file, place, store }: { file: string; place: string | null; store: string | null },
): Promise<ClaimedBackup | null> {
  return inTransaction(pool("worker"), async (client) => {
    await client.query(LOCK);
    await client.query(FAIL_SILENT, [GONE]);
    const { rows } = await client.query<{ running: boolean; due: boolean; queued: string | null }>(
      `SELECT EXISTS (SELECT 1 FROM backups WHERE state = 'running') AS running,
         NOT EXISTS (SELECT 1 FROM backups WHERE ${GOOD} AND started_at > now() - $1 * interval '1 millisecond')
           AND NOT EXISTS (SELECT 1 FROM backups WHERE finished_at > now() - interval '${REST_AFTER_FAILURE}') AS due,
         (SELECT id FROM backups WHERE state = 'queued' ORDER BY created_at LIMIT 1) AS queued`,
      [everyMs],
    );
    const [found] = rows;
    if (!found || found.running) return null;
    if (!found.due && !found.queued) return claimUnsent(client, runner, { place, store });
    const id = found.queued ?? newId("bak");
    await client.query(
      `INSERT INTO backups (id, state, requested, runner, started_at, beat_at, file, place, store, stored)
       VALUES ($1, 'running', false, $2, now(), now(), $3, $4, $5, $5::text IS NOT NULL)
       ON CONFLICT (id) DO UPDATE SET state = 'running', runner = $2, started_at = now(), beat_at = now(), file = $3, place = $4,
         store = $5, stored = $5::text IS NOT NULL, done = 0`,
      [id, runner, file, place, store],
    );
    return { id, file, written: null };
  });
}

async function claimUnsent(
  client: pg.PoolClient,
  runner: string,
  { place, store }: { place: string | null; store: string | null },
): Promise<ClaimedBackup | null> {
  const { rows } = await client.query<{ id: string; file: string | null; events: number | null; fileBytes: number | null }>(
    `UPDATE backups SET state = 'running', runner = $1, beat_at = now(), failure = NULL, stored = true, done = 0
     WHERE id = (SELECT id FROM backups WHERE state = 'done' ORDER BY started_at DESC LIMIT 1)
       AND failure IS NOT NULL AND kept AND place = $2 AND store = $3 AND finished_at < now() - interval '${REST_AFTER_FAILURE}'
     RETURNING id, file, events, file_bytes AS "fileBytes"`,
    [runner, place, store],
  );
  const [row] = rows;
  return row?.file ? { id: row.id, file: row.file, written: { events: row.events ?? 0, fileBytes: row.fileBytes ?? 0 } } : null;
}

/** Notes a whole file: it is kept, whatever becomes of its copy. */
export async function markWritten(id: string, runner: string, { events, fileBytes }: Written): Promise<void> {
  await prisma(pool("worker")).backup.updateMany({ where: { id, runner, state: "running" }, data: { events, fileBytes } });
}

/** Reports progress. @returns whether to go on */
export async function beatBackup(
  id: string,
  runner: string,
  { phase, done, total }: Pick<Backup, "phase" | "done" | "total">,
): Promise<boolean> {
  const { rows } = await pool("worker").query<{ stop_requested: boolean }>(
    `UPDATE backups SET beat_at = now(), phase = $3, done = $4, total = $5
     WHERE id = $1 AND runner = $2 AND state = 'running' RETURNING stop_requested`,
    [id, runner, phase, done, total],
  );
  return rows[0]?.stop_requested === false;
}

type End = { outcome: "done"; written: Written; failure: string | null } | { outcome: "stopped" } | { outcome: "failed"; failure: string };

/** Ends a backup; one that stopped with its worker goes back to the queue. */
export async function finishBackup(id: string, runner: string, end: End): Promise<void> {
  const written = end.outcome === "done" ? end.written : null;
  const failure = end.outcome === "stopped" ? null : end.failure;
  await pool("worker").query(
    `UPDATE backups SET events = $4, file_bytes = $5, failure = $6, phase = NULL,
       state = CASE WHEN $3 = 'stopped' AND NOT stop_requested THEN 'queued' ELSE $3 END,
       finished_at = CASE WHEN $3 = 'stopped' AND NOT stop_requested THEN NULL ELSE now() END
     WHERE id = $1 AND runner = $2 AND state = 'running'`,
    [id, runner, end.outcome, written?.events ?? null, written?.fileBytes ?? null, failure],
  );
}

export async function failSilent(): Promise<void> {
  await pool("worker").query(FAIL_SILENT, [GONE]);
}

/** A folder unseen for this long, while another was looked at, is gone or not mounted. Longer than a worker's restart. */
const UNSEEN_FOR = "10 minutes";

/** SQL condition: the backup's file should be in its folder. */
const SHOULD_BE_THERE =
  "b.file IS NOT NULL AND b.place IS NOT NULL AND b.kept AND (b.state = 'done' OR (b.state = 'running' AND b.file_bytes IS NOT NULL))";

/** @param place the folder's mark; empty if it can't be read */
export async function markSeen(place: string): Promise<void> {
  await pool("worker").query("INSERT INTO backup_folders (place) VALUES ($1) ON CONFLICT (place) DO UPDATE SET seen_at = now()", [place]);
}

export const listExpected = (place: string): Promise<string[]> =>
  queryValues<{ file: string }>(pool("worker"), `SELECT b.file FROM backups b WHERE ${SHOULD_BE_THERE} AND b.place = $1`, [place]);

/** Notes missing files, also of folders that no worker sees any more, and files that are back. @returns how many went missing */
export const markMissing = (place: string, missing: string[]): Promise<number> =>
  queryCount<{ n: number }>(
    pool("worker"),
    `WITH looked AS (
       SELECT b.id, b.missing_since, CASE WHEN b.place = $1 THEN b.file = ANY ($2) ELSE f.place IS NULL END AS gone
       FROM backups b LEFT JOIN backup_folders f ON f.place = b.place
         AND f.seen_at > (SELECT max(seen_at) FROM backup_folders) - interval '${UNSEEN_FOR}'
       WHERE ${SHOULD_BE_THERE}),
     changed AS (
       UPDATE backups b SET missing_since = CASE WHEN l.gone THEN now() END FROM looked l
       WHERE b.id = l.id AND l.gone <> (l.missing_since IS NOT NULL) RETURNING l.gone)
     SELECT count(*) FILTER (WHERE gone) AS n FROM changed`,
    [place, missing],
  );

/** Rows of deleted files are kept for the list only. */
const MAX_ROWS = 200;

/** `isHere`: in the folder asked for; earlier versions did not note it. */
type SurplusFile = { file: string; isHere: boolean };

/** Lists good backups beyond the newest `keep`, unfinished ones, and those of earlier versions. Missing ones take no place. */
export const listSurplusFiles = (place: string, keep: number): Promise<SurplusFile[]> =>
  queryRows<SurplusFile>(
    pool("worker"),
    `SELECT file, place IS NOT NULL AS "isHere" FROM (
       SELECT file, place, state, kept, started_at, row_number() OVER (PARTITION BY state = 'done' AND kept ORDER BY started_at DESC) AS nth
       FROM backups WHERE file IS NOT NULL AND state IN ('done', 'failed', 'stopped') AND missing_since IS NULL AND (place = $1 OR place IS NULL)) b
     WHERE CASE WHEN kept THEN state <> 'done' OR nth > $2 ELSE place IS NULL END ORDER BY started_at LIMIT ${MAX_ROWS}`,
    [place, keep],
  );

/** Lists good backups beyond the newest `keep`, and unfinished ones. */
export const listSurplusObjects = (store: string, keep: number): Promise<string[]> =>
  queryValues<{ file: string }>(
    pool("worker"),
    `SELECT file FROM (
       SELECT file, ${REACHED_STORE} AS good, started_at, row_number() OVER (PARTITION BY ${REACHED_STORE} ORDER BY started_at DESC) AS nth
       FROM backups WHERE file IS NOT NULL AND state IN ('done', 'failed', 'stopped') AND store = $1 AND stored) b
     WHERE NOT good OR nth > $2 ORDER BY started_at LIMIT ${MAX_ROWS}`,
    [store, keep],
  );

export async function markUnstored(store: string, files: string[]): Promise<void> {
  await prisma(pool("worker")).backup.updateMany({ where: { store, file: { in: files } }, data: { stored: false } });
}

/** Forgets the oldest rows too. */
export async function markDeleted(files: string[]): Promise<void> {
  await prisma(pool("worker")).backup.updateMany({ where: { file: { in: files } }, data: { kept: false } });
  await pool("worker").query(
    `DELETE FROM backups WHERE (NOT kept OR state IN ('failed', 'stopped')) AND NOT stored
       AND id IN (SELECT id FROM backups ORDER BY created_at DESC OFFSET ${MAX_ROWS})`,
  );
}

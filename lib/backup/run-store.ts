import { newId } from "#lib/contracts/api/ids";
import type { Backup } from "#lib/contracts/backups";
import { inTransaction, pool } from "#lib/db/pool";

type Row = {
  id: string;
  state: Backup["state"];
  requested: boolean;
  phase: Backup["phase"];
  done: number;
  total: number;
  file: string | null;
  kept: boolean;
  store: string | null;
  stored: boolean;
  events: number | null;
  file_bytes: number | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  failure: string | null;
};

const COLUMNS =
  "id, state, requested, phase, done, total, file, kept, store, stored, events, file_bytes, created_at, started_at, finished_at, failure";
const LISTED = 20;
export const SILENCE = "60 seconds";
/** After one that failed or was stopped, the schedule waits so long. */
const REST_AFTER_FAILURE = "1 hour";

const LOCK = "SELECT pg_advisory_xact_lock(hashtext('backups'))";
export const GONE = "The worker running it exited before it was finished.";

const FAIL_SILENT = `UPDATE backups SET state = 'failed', failure = $1, finished_at = now()
  WHERE state = 'running' AND beat_at < now() - interval '${SILENCE}'`;

const backupOf = (row: Row): Backup => ({
  id: row.id,
  state: row.state,
  requested: row.requested,
  phase: row.phase,
  done: row.done,
  total: row.total,
  file: row.file,
  kept: row.kept || row.stored,
  store: row.store,
  events: row.events,
  fileBytes: row.file_bytes,
  createdAt: row.created_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  finishedAt: row.finished_at?.toISOString() ?? null,
  failure: row.failure,
});

/** Asks for one; while another waits or runs, that one is answered. */
export async function insertBackup(): Promise<{ outcome: "started" | "busy"; backup: Backup }> {
  return inTransaction(pool(), async (client) => {
    await client.query(LOCK);
    const { rows: busy } = await client.query<Row>(`SELECT ${COLUMNS} FROM backups WHERE state IN ('queued', 'running') LIMIT 1`);
    if (busy[0]) return { outcome: "busy", backup: backupOf(busy[0]) };
    const { rows } = await client.query<Row>(
      `INSERT INTO backups (id, state, requested) VALUES ($1, 'queued', true) RETURNING ${COLUMNS}`,
      [newId("bak")],
    );
    if (!rows[0]) throw new Error("the backup was not inserted");
    return { outcome: "started", backup: backupOf(rows[0]) };
  });
}

/** The latest, newest first. */
export async function listBackups(): Promise<Backup[]> {
  const { rows } = await pool().query<Row>(`SELECT ${COLUMNS} FROM backups ORDER BY created_at DESC LIMIT ${LISTED}`);
  return rows.map(backupOf);
}

/** Returns when the last good one was begun, and for how long there might have been one: since the database was set up. */
export async function findLastGood(): Promise<{ lastGoodAt: Date | null; ageSeconds: number }> {
  const { rows } = await pool().query<{ at: Date | null; age: number }>(
    `SELECT g.at, extract(epoch FROM now() - coalesce(g.at, m.at))::float8 AS age
     FROM (SELECT max(started_at) AS at FROM backups WHERE state = 'done') g, (SELECT min(finished_at) AS at FROM _prisma_migrations) m`,
  );
  return { lastGoodAt: rows[0]?.at ?? null, ageSeconds: Math.max(0, rows[0]?.age ?? 0) };
}

/** Stops the one that waits at once, and asks the one that runs to stop. @returns its ID; null when there is none */
export async function requestStop(): Promise<string | null> {
  const { rows } = await pool().query<{ id: string }>(
    `UPDATE backups SET stop_requested = true,
       finished_at = CASE WHEN state = 'queued' THEN now() ELSE finished_at END,
       state = CASE WHEN state = 'queued' THEN 'stopped' ELSE state END
     WHERE state IN ('queued', 'running') RETURNING id`,
  );
  return rows[0]?.id ?? null;
}

/**
 * Takes the backup that was asked for, or begins the one that is due by the clock; null when there is nothing to do or
 * another worker is at it. One whose worker fell silent has failed.
 *
 * @param everyMs the schedule's interval in milliseconds
 * @param file the name of the file to write, its folder (null where that can't be written) and the store that it goes to
 */
export async function claimBackup(
  runner: string,
  everyMs: number,
  { file, place, store }: { file: string; place: string | null; store: string | null },
): Promise<{ id: string } | null> {
  return inTransaction(pool("worker"), async (client) => {
    await client.query(LOCK);
    await client.query(FAIL_SILENT, [GONE]);
    const { rows } = await client.query<{ running: boolean; due: boolean; queued: string | null }>(
      `SELECT EXISTS (SELECT 1 FROM backups WHERE state = 'running') AS running,
         NOT EXISTS (SELECT 1 FROM backups WHERE state = 'done' AND started_at > now() - $1 * interval '1 millisecond')
           AND NOT EXISTS (SELECT 1 FROM backups WHERE finished_at > now() - interval '${REST_AFTER_FAILURE}') AS due,
         (SELECT id FROM backups WHERE state = 'queued' ORDER BY created_at LIMIT 1) AS queued`,
      [everyMs],
    );
    const [found] = rows;
    if (!found || found.running || !(found.due || found.queued)) return null;
    const id = found.queued ?? newId("bak");
    await client.query(
      `INSERT INTO backups (id, state, requested, runner, started_at, beat_at, file, place, store, stored)
       VALUES ($1, 'running', false, $2, now(), now(), $3, $4, $5, $5::text IS NOT NULL)
       ON CONFLICT (id) DO UPDATE SET state = 'running', runner = $2, started_at = now(), beat_at = now(), file = $3, place = $4,
         store = $5, stored = $5::text IS NOT NULL, done = 0`,
      [id, runner, file, place, store],
    );
    return { id };
  });
}

/** Says that it goes on, and how far. @returns whether to go on */
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

type End = { outcome: "done"; events: number; fileBytes: number } | { outcome: "stopped" } | { outcome: "failed"; failure: string };

/** Notes the end. One that nobody asked to stop goes back to the queue, for the next worker. */
export async function finishBackup(id: string, runner: string, end: End): Promise<void> {
  const done = end.outcome === "done" ? end : null;
  await pool("worker").query(
    `UPDATE backups SET events = $4, file_bytes = $5, failure = $6, phase = NULL,
       state = CASE WHEN $3 = 'stopped' AND NOT stop_requested THEN 'queued' ELSE $3 END,
       finished_at = CASE WHEN $3 = 'stopped' AND NOT stop_requested THEN NULL ELSE now() END
     WHERE id = $1 AND runner = $2 AND state = 'running'`,
    [id, runner, end.outcome, done?.events ?? null, done?.fileBytes ?? null, end.outcome === "failed" ? end.failure : null],
  );
}

/** Notes as failed what a worker that fell silent was at. */
export async function failSilent(): Promise<void> {
  await pool("worker").query(FAIL_SILENT, [GONE]);
}

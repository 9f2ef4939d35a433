import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { REACHED_STORE } from "./run-store.ts";

/** Rows of deleted files are kept for the list only. */
const MAX_ROWS = 200;

/** `isHere`: in the folder asked for; earlier versions did not note it. */
export type SurplusFile = { file: string; isHere: boolean };

/** Lists good backups beyond the newest `keep`, unfinished ones, and those of earlier versions. Missing ones take no place. */
export async function listSurplusFiles(place: string, keep: number): Promise<SurplusFile[]> {
  const { rows } = await pool("worker").query<SurplusFile>(
    `SELECT file, place IS NOT NULL AS "isHere" FROM (
       SELECT file, place, state, kept, started_at, row_number() OVER (PARTITION BY state = 'done' AND kept ORDER BY started_at DESC) AS nth
       FROM backups WHERE file IS NOT NULL AND state IN ('done', 'failed', 'stopped') AND missing_since IS NULL AND (place = $1 OR place IS NULL)) b
     WHERE CASE WHEN kept THEN state <> 'done' OR nth > $2 ELSE place IS NULL END ORDER BY started_at LIMIT ${MAX_ROWS}`,
    [place, keep],
  );
  return rows;
}

/** Lists good backups beyond the newest `keep`, and unfinished ones. */
export async function listSurplusObjects(store: string, keep: number): Promise<string[]> {
  const { rows } = await pool("worker").query<{ file: string }>(
    `SELECT file FROM (
       SELECT file, ${REACHED_STORE} AS good, started_at, row_number() OVER (PARTITION BY ${REACHED_STORE} ORDER BY started_at DESC) AS nth
       FROM backups WHERE file IS NOT NULL AND state IN ('done', 'failed', 'stopped') AND store = $1 AND stored) b
     WHERE NOT good OR nth > $2 ORDER BY started_at LIMIT ${MAX_ROWS}`,
    [store, keep],
  );
  return rows.map(({ file }) => file);
}

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

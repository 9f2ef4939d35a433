import { pool } from "#lib/db/pool";

/**
 * A folder that no worker has seen for so long, while another look was made, is gone: deleted, not mounted, or an empty one
 * stands in its place. Longer than a restart of the worker whose own folder it is.
 */
const UNSEEN_FOR = "10 minutes";

/** Condition in SQL of a backup whose file should be in a folder. */
const SHOULD_BE_THERE =
  "b.file IS NOT NULL AND b.place IS NOT NULL AND b.kept AND (b.state = 'done' OR (b.state = 'running' AND b.file_bytes IS NOT NULL))";

/** Notes that a worker looks at a folder. @param place its mark; empty for one that can't be read */
export async function markSeen(place: string): Promise<void> {
  await pool("worker").query("INSERT INTO backup_folders (place) VALUES ($1) ON CONFLICT (place) DO UPDATE SET seen_at = now()", [place]);
}

/** Names of the files that should be in a folder. */
export async function listExpected(place: string): Promise<string[]> {
  const { rows } = await pool("worker").query<{ file: string }>(`SELECT b.file FROM backups b WHERE ${SHOULD_BE_THERE} AND b.place = $1`, [
    place,
  ]);
  return rows.map(({ file }) => file);
}

/**
 * Notes which files of a folder are not there, and those of folders that nobody sees any more; what is there again is noted too.
 *
 * @param missing names of the folder's own
 * @returns how many are missing that were there
 */
export async function markMissing(place: string, missing: string[]): Promise<number> {
  const { rows } = await pool("worker").query<{ n: number }>(
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
  return rows[0]?.n ?? 0;
}

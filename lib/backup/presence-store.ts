import { pool } from "#lib/db/pool";

/** A folder unseen for this long, while another was looked at, is gone or not mounted. Longer than a worker's restart. */
const UNSEEN_FOR = "10 minutes";

/** SQL condition: the backup's file should be in its folder. */
const SHOULD_BE_THERE =
  "b.file IS NOT NULL AND b.place IS NOT NULL AND b.kept AND (b.state = 'done' OR (b.state = 'running' AND b.file_bytes IS NOT NULL))";

/** @param place the folder's mark; empty if it can't be read */
export async function markSeen(place: string): Promise<void> {
  await pool("worker").query("INSERT INTO backup_folders (place) VALUES ($1) ON CONFLICT (place) DO UPDATE SET seen_at = now()", [place]);
}

export async function listExpected(place: string): Promise<string[]> {
  const { rows } = await pool("worker").query<{ file: string }>(`SELECT b.file FROM backups b WHERE ${SHOULD_BE_THERE} AND b.place = $1`, [
    place,
  ]);
  return rows.map(({ file }) => file);
}

/** Notes missing files, also of folders that no worker sees any more, and files that are back. @returns how many went missing */
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

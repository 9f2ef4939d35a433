import { pool } from "#lib/db/pool";

/** A version that was not seen for longer has stopped. */
const STOPPED_AFTER = "90 seconds";
const KEPT = "400 days";

const NOTE = `
  WITH seen AS (
    UPDATE version_runs SET seen_at = now() WHERE id = (
      SELECT id FROM version_runs WHERE version = $1 AND seen_at > now() - interval '${STOPPED_AFTER}' ORDER BY seen_at DESC LIMIT 1)
    RETURNING id)
  INSERT INTO version_runs (version) SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM seen)`;

/** Notes that a web process of this version is running. Several may, also of two versions during an update. */
export async function noteVersion(version: string): Promise<void> {
  const { rowCount } = await pool().query(NOTE, [version]);
  if (rowCount !== 0) await pool().query(`DELETE FROM version_runs WHERE seen_at < now() - interval '${KEPT}'`);
}

/** A version that began to run: which one ran before, and since when none had. */
export type VersionStart = { version: string; startedAt: Date; versionBefore: string | null; seenBefore: Date | null };

/** Returns the starts of a period, and those after a pause that began or ended in it, the oldest first. */
export async function listVersionStarts(from: string, to: string, limit: number): Promise<VersionStart[]> {
  const { rows } = await pool().query<VersionStart>(
    `SELECT version, started_at AS "startedAt", version_before AS "versionBefore", seen_before AS "seenBefore"
     FROM (SELECT version, started_at, lag(version) OVER runs AS version_before, max(seen_at) OVER earlier AS seen_before
           FROM version_runs
           WINDOW runs AS (ORDER BY started_at, id), earlier AS (runs ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) r
     WHERE started_at >= $1 AND least(started_at, seen_before) <= $2 ORDER BY started_at DESC LIMIT $3`,
    [from, to, limit],
  );
  return rows.reverse();
}

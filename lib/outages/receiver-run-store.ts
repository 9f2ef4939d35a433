import { PRODUCT_VERSION } from "#lib/config/product-version";
import { pool } from "#lib/db/pool";
import { KEEP_DAYS } from "./outage-minute-store.ts";
import type { Absence } from "./windows.ts";

/** A receiver that is seen every 5 s may have run for this long after it was last seen. */
const NOTABLE_SECONDS = 10;

/** `startedMsAgo` is by the process's own clock. */
export type ReceiverRun = { id: string; startedMsAgo: number };

/** Records that a receiver runs, by the database's clock. */
export async function noteRun({ id, startedMsAgo }: ReceiverRun, version = PRODUCT_VERSION): Promise<void> {
  await pool("receiver").query(
    `INSERT INTO receiver_runs (id, started_at, seen_at, version) VALUES ($1, now() - make_interval(secs => $2), now(), $3)
     ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
    [id, startedMsAgo / 1000, version],
  );
}

export type VersionChange = { at: Date; from: string; to: string };

export async function listVersionChanges({ from, to }: { from: string; to: string }): Promise<VersionChange[]> {
  const { rows } = await pool().query<VersionChange>(
    `WITH runs AS (
       SELECT started_at, version, lag(version) OVER (ORDER BY started_at, id) AS before FROM receiver_runs WHERE version IS NOT NULL)
     SELECT started_at AS "at", before AS "from", version AS "to" FROM runs
      WHERE version <> before AND started_at BETWEEN $1 AND $2 ORDER BY started_at`,
    [from, to],
  );
  return rows;
}

/** Lists the times in which no receiver ran, between two that did. */
export async function listAbsences(since: Date): Promise<Absence[]> {
  const { rows } = await pool().query<{ from: Date; to: Date | null }>(
    `WITH runs AS (
       SELECT max(seen_at) OVER (ORDER BY started_at, id) AS covered, lead(started_at) OVER (ORDER BY started_at, id) AS next FROM receiver_runs)
     SELECT covered AS "from", next AS "to" FROM runs WHERE next > covered + make_interval(secs => $2) AND next > $1`,
    [since, NOTABLE_SECONDS],
  );
  return rows.flatMap(({ from, to }) => (to === null ? [] : [{ from, to }]));
}

/** Deletes runs once a later one began before the shown period: until then they show when an absence began. */
export async function deleteOldRuns(): Promise<number> {
  const { rowCount } = await pool("worker").query(
    `DELETE FROM receiver_runs r USING receiver_runs later
      WHERE later.seen_at > r.seen_at AND later.started_at < now() - make_interval(days => $1)`,
    [KEEP_DAYS],
  );
  return rowCount ?? 0;
}

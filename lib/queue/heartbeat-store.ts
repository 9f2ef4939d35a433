import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { pool } from "#lib/db/pool";

/** This worker's name among all that were ever seen. */
const id = `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`;

const FORGOTTEN_AFTER = "1 hour";

/** Notes that this worker is alive, and forgets those that have been silent for an hour. */
export async function markAlive(): Promise<void> {
  await pool("worker").query(
    `WITH forgotten AS (DELETE FROM worker_heartbeats WHERE seen_at < now() - interval '${FORGOTTEN_AFTER}' AND id <> $1)
     INSERT INTO worker_heartbeats (id, seen_at) VALUES ($1, now())
     ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
    [id],
  );
}

/** Removes this worker's note: it ends in good order. */
export async function markGone(): Promise<void> {
  await pool("worker").query("DELETE FROM worker_heartbeats WHERE id = $1", [id]);
}

/** When any worker was last alive; null when none was within the last hour or so. */
export async function findLastHeartbeat(): Promise<Date | null> {
  const { rows } = await pool("web").query<{ seen: Date | null }>("SELECT max(seen_at) AS seen FROM worker_heartbeats");
  return rows[0]?.seen ?? null;
}

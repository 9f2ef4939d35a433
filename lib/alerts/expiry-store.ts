import { pool } from "#lib/db/pool";

/** Alerts that are over, and tests of channels, are kept so long. */
const KEPT = "90 days";

/** Deletes old alerts with what was sent of them, tests, and snoozes that have ended. @returns how many rows, without the sends */
export async function deleteOldAlerts(): Promise<number> {
  const { rows } = await pool("worker").query<{ n: number }>(
    `WITH episodes AS (DELETE FROM alert_episodes WHERE closed_at < now() - interval '${KEPT}' RETURNING 1),
       tests AS (DELETE FROM alert_notifications WHERE episode_id IS NULL AND at < now() - interval '${KEPT}' RETURNING 1),
       snoozes AS (DELETE FROM alert_snoozes WHERE until < now() RETURNING 1),
       channels AS (DELETE FROM alert_channels WHERE deleted_at < now() - interval '${KEPT}' RETURNING 1)
     SELECT (SELECT count(*) FROM episodes) + (SELECT count(*) FROM tests) + (SELECT count(*) FROM snoozes) + (SELECT count(*) FROM channels) AS n`,
  );
  return rows[0]?.n ?? 0;
}

import { logger } from "#lib/observability/logger";
import { pool } from "./pool.ts";

/** Clocks are corrected by less every day, and nothing waits for that long because of it. */
const NOTABLE = "interval '1 minute'";

/** Times of the database's clock that can't lie ahead. */
const PAST: Record<string, string[]> = {
  connections: ["last_refresh_at", "problem_at"],
  destinations: ["failing_since", "last_success_at", "last_failure_at"],
  alert_channels: ["failing_since", "last_sent_at", "last_failure_at"],
  alert_episodes: ["opened_at", "seen_at", "closed_at"],
  alert_watch: ["heartbeat_at"],
  operations: ["beat_at"],
  backups: ["beat_at", "started_at", "finished_at"],
  backup_folders: ["seen_at"],
  backup_proofs: ["beat_at", "started_at", "finished_at"],
  receiver_runs: ["started_at", "seen_at"],
  listeners: ["seen_at"],
  log_ranges: ["ended_at"],
  event_hour_places: ["counted_at"],
  event_search_progress: ["read_at"],
};

/** What is done when the clock shows a time: as much earlier as the clock was set back. `which`: rows whose time is not a person's. */
const AWAITED: { table: string; columns: string[]; which?: string }[] = [
  {
    table: "connections",
    columns: ["next_refresh_at"],
    which: "EXISTS (SELECT FROM connection_tokens t WHERE t.connection_id = id AND t.refresh_sealed IS NOT NULL)",
  },
  { table: "connections", columns: ["access_expires_at"], which: `last_refresh_at > clock_timestamp() + ${NOTABLE}` },
  { table: "connections", columns: ["claimed_until", "retry_after_until"] },
  { table: "token_revocations", columns: ["due_at"] },
  { table: "inbox", columns: ["due_at"] },
  { table: "forward_deliveries", columns: ["due_at"], which: "state = 'pending'" },
  { table: "destination_senders", columns: ["until"] },
  { table: "destinations", columns: ["probe_at"] },
  { table: "alert_sends", columns: ["due_at"] },
  { table: "alert_channels", columns: ["sender_until", "held_until"] },
  { table: "alert_episodes", columns: ["remind_at"], which: "closed_at IS NULL" },
  { table: "sender_fetches", columns: ["due_at"] },
  { table: "missing_events", columns: ["due_at"], which: "state = 'waiting'" },
];

/** Workers write the time every 5 s. Connections are renewed by web processes as well. */
const AHEAD = `SELECT coalesce(extract(epoch FROM t.at - clock_timestamp()), 0)::float8 AS seconds
  FROM (SELECT greatest((SELECT max(seen_at) FROM worker_heartbeats), (SELECT max(last_refresh_at) FROM connections)) AS at) t
  WHERE t.at > clock_timestamp() + ${NOTABLE}`;

/**
 * Puts times right that the database's clock wrote before it was set back: until it shows them again, nobody would renew, retry or notice.
 * The heartbeats come last, so that a round which fails is repeated. @returns seconds by which it was set back; 0 for none
 */
export async function putTimesRight(): Promise<number> {
  const { rows } = await pool("worker").query<{ seconds: number }>(AHEAD);
  const seconds = rows[0]?.seconds ?? 0;
  if (seconds === 0) return 0;
  logger().warn({ seconds: Math.round(seconds) }, "the database's clock was set back: putting times right that lie in the future");
  for (const { table, columns, which } of AWAITED) for (const column of columns) await bringForward(table, column, which, seconds);
  for (const [table, columns] of Object.entries(PAST)) for (const column of columns) await endFuture(table, column);
  await endFuture("worker_heartbeats", "seen_at");
  return seconds;
}

const bringForward = (table: string, column: string, which = "true", seconds = 0) =>
  pool("worker").query(
    `UPDATE ${table} SET ${column} = ${column} - make_interval(secs => $1)
      WHERE ${column} > clock_timestamp() + make_interval(secs => $1) - ${NOTABLE} AND ${column} < 'infinity' AND ${which}`,
    [seconds],
  );

const endFuture = (table: string, column: string) =>
  pool("worker").query(`UPDATE ${table} SET ${column} = clock_timestamp() WHERE ${column} > clock_timestamp() + ${NOTABLE}`);

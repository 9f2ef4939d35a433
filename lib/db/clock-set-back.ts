import type pg from "pg";
import { logger } from "#lib/observability/logger";
import { boundLockWaits } from "./locks.ts";
import { inTransaction, pool } from "./pool.ts";
import { queryCount } from "./rows.ts";

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

type Awaited = { table: string; columns: string[]; which?: string; mayBeEarly?: true };

/**
 * What is done when the clock shows a time: as much earlier as the clock was set back. `which`: rows whose time is not a person's.
 * `mayBeEarly`: all that waits notably, also what was due before the clock was set back. Of the others only what was not due by then: a wait that
 * somebody asked for may have been written before the clock went ahead. Missing events are none of these: they wait by the earlier of two clocks.
 */
const AWAITED: Awaited[] = [
  {
    table: "connections",
    columns: ["next_refresh_at"],
    which: "EXISTS (SELECT FROM connection_tokens t WHERE t.connection_id = id AND t.refresh_sealed IS NOT NULL)",
  },
  { table: "connections", columns: ["access_expires_at"], which: `last_refresh_at > clock_timestamp() + ${NOTABLE}` },
  { table: "connections", columns: ["retry_after_until"] },
  { table: "token_revocations", columns: ["due_at"], mayBeEarly: true },
  { table: "inbox", columns: ["due_at"], mayBeEarly: true },
  { table: "forward_deliveries", columns: ["due_at"], which: "state = 'pending'", mayBeEarly: true },
  { table: "destinations", columns: ["probe_at"] },
  { table: "alert_sends", columns: ["due_at"], mayBeEarly: true },
  { table: "alert_channels", columns: ["held_until"] },
  { table: "alert_episodes", columns: ["remind_at"], which: "closed_at IS NULL" },
  { table: "sender_fetches", columns: ["due_at"], mayBeEarly: true },
];

/**
 * Ends of leases. A holder may live, and have renewed by the clock as it is: none is brought forward, or two would hold one lease. They end no later
 * than the longest lease (a renewal's) that begins now.
 */
const LEASES: Record<string, string> = { connections: "claimed_until", destination_senders: "until", alert_channels: "sender_until" };
const MAX_LEASE = "interval '2 minutes'";

/** Workers write the time every 5 s. Connections are renewed by web processes as well. */
const AHEAD = `SELECT coalesce(extract(epoch FROM t.at - clock_timestamp()), 0)::float8 AS seconds
  FROM (SELECT greatest((SELECT max(seen_at) FROM worker_heartbeats), (SELECT max(last_refresh_at) FROM connections)) AS at) t
  WHERE t.at > clock_timestamp() + ${NOTABLE}`;

/** A row may be locked by work that waits for one of ours. Milliseconds. */
const LOCK_WAIT_MS = 5000;

/**
 * Puts times right that the database's clock wrote before it was set back: until it shows them again, nobody would renew, retry or notice.
 * @returns seconds by which times still lie ahead, as it failed or another worker is at it; 0 for none. The next heartbeat tries again
 */
export async function putTimesRight(): Promise<number> {
  const seconds = await secondsAhead(pool("worker"));
  if (seconds === 0) return 0;
  try {
    return (await inTransaction(pool("worker"), putRight)) ? 0 : seconds;
  } catch (error) {
    logger().error({ err: error, seconds: Math.round(seconds) }, "times that lie in the future could not be put right: trying again");
    return seconds;
  }
}

const secondsAhead = (client: Pick<pg.ClientBase, "query">): Promise<number> => queryCount<{ seconds: number }>(client, AHEAD);

/** All or nothing, by one worker, and with the sign of it: what was brought forward twice would be early. @returns false if another is at it */
async function putRight(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>("SELECT pg_try_advisory_xact_lock(hashtext('clock_set_back')) AS free");
  if (!rows[0]?.free) return false;
  const seconds = await secondsAhead(client);
  if (seconds === 0) return true;
  logger().warn({ seconds: Math.round(seconds) }, "the database's clock was set back: putting times right that lie in the future");
  await boundLockWaits(client, LOCK_WAIT_MS);
  for (const awaited of AWAITED) for (const column of awaited.columns) await bringForward(client, awaited, column, seconds);
  for (const [table, column] of Object.entries(LEASES)) {
    await client.query(
      `UPDATE ${table} SET ${column} = clock_timestamp() + ${MAX_LEASE} WHERE ${column} > clock_timestamp() + ${MAX_LEASE}`,
    );
  }
  for (const [table, columns] of Object.entries(PAST)) for (const column of columns) await endFuture(client, table, column);
  await endFuture(client, "worker_heartbeats", "seen_at");
  return true;
}

/** Not to before now: what waits would seem to have been due for long. */
const bringForward = (client: pg.PoolClient, { table, which = "true", mayBeEarly }: Awaited, column: string, seconds: number) =>
  client.query(
    `UPDATE ${table} SET ${column} = greatest(${column} - make_interval(secs => $1), clock_timestamp())
      WHERE ${column} > clock_timestamp() + CASE WHEN $2 THEN ${NOTABLE} ELSE make_interval(secs => $1) - ${NOTABLE} END
        AND ${column} < 'infinity' AND ${which}`,
    [seconds, mayBeEarly ?? false],
  );

const endFuture = (client: pg.PoolClient, table: string, column: string) =>
  client.query(`UPDATE ${table} SET ${column} = clock_timestamp() WHERE ${column} > clock_timestamp() + ${NOTABLE}`);

import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { logger } from "#lib/observability/logger";
import { isLockBusy, retryWhileBusy } from "./locks.ts";
import { onOwnConnection } from "./own-connection.ts";
import { pool } from "./pool.ts";

/** Above every cursor handed out since the backup, unless the earlier cluster ran 4 billion transactions. */
const LEAP = 2 ** 32;

const CLOCK = `coalesce((SELECT c."offset" FROM log_clock c WHERE c.id = 1), 0)`;
const NEXT = "pg_snapshot_xmax(pg_current_snapshot())::text::bigint";
/** Positions that this cluster has not reached: of events, or of the workers' place, whose events may have left the log. */
const HIGHEST_AHEAD = `SELECT s.xid::text::bigint AS highest FROM log_places w CROSS JOIN LATERAL (
    (SELECT e.xid FROM events e WHERE e.workspace_id = w.workspace_id AND e.xid >= (${NEXT} + ${CLOCK})::text::xid8 ORDER BY e.xid DESC, e.seq DESC LIMIT 1)
    UNION ALL SELECT w.xid WHERE w.xid >= (${NEXT} + ${CLOCK})::text::xid8) s ORDER BY s.xid DESC LIMIT 1`;

const RAISE = `INSERT INTO log_clock (id, "offset", raised_at)
  SELECT 1, a.highest + ${LEAP} - ${NEXT}, now() FROM (${HIGHEST_AHEAD}) a
  ON CONFLICT (id) DO UPDATE SET "offset" = EXCLUDED."offset", raised_at = EXCLUDED.raised_at`;

/** Also where nothing is ahead: a high counter says nothing of cursors handed out elsewhere. */
const RAISE_ALWAYS = `INSERT INTO log_clock (id, "offset", raised_at)
  SELECT 1, greatest(e.xid::text::bigint + ${LEAP} - ${NEXT}, ${CLOCK}), now() FROM (SELECT xid FROM events ORDER BY xid DESC LIMIT 1) e
  ON CONFLICT (id) DO UPDATE SET "offset" = EXCLUDED."offset", raised_at = EXCLUDED.raised_at`;

/** Raises the clock after a restore, in the transaction that holds all its tables. */
export async function raiseLogClock(client: pg.ClientBase): Promise<void> {
  await client.query(RAISE_ALWAYS);
}

/**
 * Raises the clock after a restore or move: transaction IDs start low again, and readers would miss what is stored. Locks out writers
 * meanwhile: an old offset that commits after a new one would be skipped. @returns `busy`: an append stayed open; call again
 */
export async function keepLogClock(client: pg.ClientBase): Promise<"kept" | "raised" | "busy"> {
  const { rowCount } = await client.query(HIGHEST_AHEAD);
  if (!rowCount) return "kept";
  try {
    await retryWhileBusy(() => raise(client, RAISE));
  } catch (error) {
    if (isLockBusy(error)) return "busy";
    throw error;
  }
  logger().warn("the log contains positions of another database cluster (it was restored or moved): raised the log clock");
  return "raised";
}

/** Raises the clock of a database that the server brought back to an earlier moment: clients hold cursors of events that are gone. */
export async function raiseClockOfRecovered(client: pg.ClientBase): Promise<void> {
  await retryWhileBusy(() => raise(client, RAISE_ALWAYS));
}

/** Checks regularly from a worker: a database may be restored or moved under a running installation. */
export const checkLogClock = () => onOwnConnection(pool("worker"), keepLogClock);

async function raise(client: pg.ClientBase, statement: string): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query("SET LOCAL lock_timeout = '1s'");
    await client.query("LOCK TABLE events, views IN SHARE MODE");
    await client.query(statement);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** By the month of `received_at` (UTC). */
const TABLES = ["events", "event_search"] as const;
/** A long dump may delay new partitions, and must never stop what comes in. */
const MONTHS_AHEAD = 3;
const DAY_MS = 86_400_000;

type Month = { table: (typeof TABLES)[number]; month: string };

type Retries = { tries: number; pauseMs: number };
/** The hourly job: about half a minute. */
const JOB: Retries = { tries: 10, pauseMs: 2000 };
/** A start doesn't wait for a dump to end: the job goes on. */
export const AT_START: Retries = { tries: 2, pauseMs: 200 };

/** Makes monthly partitions ahead; appends don't wait. What a reader of the whole table blocks is left to the next call. */
export async function ensurePartitions(now: Date, from: pg.Pool | pg.ClientBase = pool("worker"), retries = JOB): Promise<number> {
  let left = monthsFrom(now);
  let made = 0;
  for (let tries = retries.tries; left.length > 0 && tries > 0; tries -= 1) {
    if (tries < retries.tries) await sleep(retries.pauseMs);
    const round = await makeUntilBusy(from, left);
    left = round.left;
    made += round.made;
  }
  if (left.length > 0) {
    const months = left.map(({ table, month }) => `${table} ${month.slice(0, 7)}`);
    logger().warn({ months }, "can't create log partitions while another session reads the whole log; retrying within the hour");
  }
  return made;
}

/** Returns yesterday's month (clocks differ), this one and those ahead. */
function monthsFrom(now: Date): Month[] {
  const first = new Date(now.getTime() - DAY_MS);
  const ahead = (now.getUTCFullYear() - first.getUTCFullYear()) * 12 + now.getUTCMonth() - first.getUTCMonth() + MONTHS_AHEAD;
  return Array.from({ length: ahead + 1 }, (_, n) => new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + n, 1)))
    .map((month) => month.toISOString().slice(0, 10))
    .flatMap((month) => TABLES.map((table) => ({ table, month })));
}

/** Stops at the first busy month: all wait for the same lock. */
async function makeUntilBusy(from: pg.Pool | pg.ClientBase, months: Month[]): Promise<{ left: Month[]; made: number }> {
  let made = 0;
  for (const [index, { table, month }] of months.entries()) {
    const { rows } = await from.query<{ outcome: "made" | "exists" | "busy" | "blocked" }>("SELECT attach_month($1, $2::date) AS outcome", [
      table,
      month,
    ]);
    if (rows[0]?.outcome === "busy") return { left: months.slice(index), made };
    if (rows[0]?.outcome === "made") made += 1;
  }
  return { left: [], made };
}

import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { pool } from "#lib/db/pool";
import { logger } from "#lib/observability/logger";

/** Partitioned by the month of `received_at` (UTC). */
const TABLES = ["events", "event_search"] as const;
/** Months made ahead of this one: a dump or a report that reads the log for long may delay them, never stop what comes in. */
const MONTHS_AHEAD = 3;
const DAY_MS = 86_400_000;

type Month = { table: (typeof TABLES)[number]; month: string };

type Retries = { tries: number; pauseMs: number };
/** The hourly job: half a minute or so. */
const JOB: Retries = { tries: 10, pauseMs: 2000 };
/** A start does not wait for the end of a dump: the job goes on where it left off. */
export const AT_START: Retries = { tries: 2, pauseMs: 200 };

/**
 * Makes the monthly partitions of the log and of its search table ahead of time. Appends go on meanwhile, and wait for
 * nothing. What can't be made because somebody reads the whole table is tried again, and left to the next call.
 *
 * @param from whoever runs the statements, each in a transaction of its own
 * @returns how many were made now
 */
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

/** Yesterday's month (clocks differ), this one and those ahead. A row whose month has none goes to the default partition. */
function monthsFrom(now: Date): Month[] {
  const first = new Date(now.getTime() - DAY_MS);
  const ahead = (now.getUTCFullYear() - first.getUTCFullYear()) * 12 + now.getUTCMonth() - first.getUTCMonth() + MONTHS_AHEAD;
  return Array.from({ length: ahead + 1 }, (_, n) => new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + n, 1)))
    .map((month) => month.toISOString().slice(0, 10))
    .flatMap((month) => TABLES.map((table) => ({ table, month })));
}

/** All months wait for the same lock: where one is busy, the others are left for the next try. */
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

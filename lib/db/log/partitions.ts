import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { pool } from "#lib/db/pool";
import { logger } from "#lib/observability/logger";

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

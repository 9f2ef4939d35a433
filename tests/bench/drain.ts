import { setTimeout as sleep } from "node:timers/promises";
import { pool } from "#lib/db/pool";
import { forkWorker } from "#tests/support/fork-worker";
import { fillLog } from "#tests/support/large-log";
import { residentMegabytes } from "#tests/support/resident-memory";
import { emptyLog, type Place, percentile, say } from "./harness.ts";

const FEW = 10_000;
const WINDOW_MS = 10_000;

type DrainOptions = { databaseUrl: string; events: number; workers: number[] };

/** A long backlog, drained by some workers: each ten seconds of it beside what the same workers make of 10,000 events alone. */
export async function benchDrain(place: Place, { databaseUrl, events, workers }: DrainOptions): Promise<void> {
  say(`drain: ${events.toLocaleString("en")} events that wait, by whole worker processes, which file them for the search, too`);
  for (const count of workers) {
    const alone = await drain(place, databaseUrl, FEW, count);
    const rate = FEW / (alone.tookMs / 1000);
    const { tookMs, windows, megabytes } = await drain(place, databaseUrl, events, count);
    const shares = windows.map((applied) => applied / (WINDOW_MS / 1000) / rate);
    say(
      `  ${count} at work: ${FEW.toLocaleString("en")} alone at ${rate.toFixed(0)}/s; all at ${(events / (tookMs / 1000)).toFixed(0)}/s; ` +
        `10 s of it, relative to them alone: first ${shares[0]?.toFixed(2)}, least ${Math.min(...shares).toFixed(2)}, ` +
        `median ${percentile(shares, 0.5).toFixed(2)}, last ${shares.at(-1)?.toFixed(2)}`,
    );
    say(`    memory of one worker: ${megabytes.map((each) => each.toFixed(0)).join(", ")} MB, at equal distances`);
  }
}

type Drained = {
  tookMs: number;
  /** Number of events applied in each whole window, the last that is not whole left out. */
  windows: number[];
  megabytes: number[];
};

async function drain(place: Place, databaseUrl: string, events: number, count: number): Promise<Drained> {
  await emptyLog();
  await fillLog({ ...place, events, waiting: true, days: 1, run: `drain${events}x${count}` });
  await pool().query("CHECKPOINT");
  const workers = Array.from({ length: count }, () => forkWorker(databaseUrl));
  await Promise.all(workers.map(({ ready }) => ready));
  const seen: number[] = [];
  while ((await countApplied()) < events) {
    await sleep(500);
    seen.push(residentMegabytes(workers[0]?.child.pid ?? 0));
  }
  for (const { child } of workers) child.kill("SIGTERM");
  await Promise.all(workers.map(({ ended }) => ended));
  const ended = await listEnded();
  const [first, last] = [ended[0]?.at ?? 0, ended.at(-1)?.at ?? 0];
  const windows = Array<number>(Math.floor((last - first) / WINDOW_MS)).fill(0);
  for (const { at, applied } of ended) {
    const index = Math.floor((at - first) / WINDOW_MS);
    if (index < windows.length) windows[index] = (windows[index] ?? 0) + applied;
  }
  const megabytes = Array.from({ length: 6 }, (_, at) => seen[Math.floor(((seen.length - 1) * at) / 5)] ?? 0);
  return { tookMs: last - first, windows, megabytes };
}

async function countApplied(): Promise<number> {
  const { rows } = await pool().query<{ n: number }>(
    "SELECT coalesce(sum(events), 0)::int AS n FROM log_ranges WHERE ended_at IS NOT NULL",
  );
  return rows[0]?.n ?? 0;
}

/** Returns what ended when, in milliseconds, oldest first. */
async function listEnded(): Promise<{ at: number; applied: number }[]> {
  const { rows } = await pool().query<{ at: Date; applied: number }>(
    "SELECT ended_at AS at, events AS applied FROM log_ranges WHERE ended_at IS NOT NULL ORDER BY ended_at",
  );
  return rows.map(({ at, applied }) => ({ at: at.getTime(), applied }));
}

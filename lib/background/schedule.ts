import { PgBoss } from "pg-boss";
import { pool } from "#lib/db/pool";
import { STOP_LIMITS } from "#lib/installation/stop-limits";
import { logger } from "#lib/observability/logger";

/** Something that happens by the clock, once in the whole installation however many workers there are. */
export type ScheduledJob = {
  name: string;
  /** Five fields, UTC. */
  cron: string;
  run: () => Promise<unknown>;
};

/** Jobs by the clock are few and can wait this long. */
const POLL_SECONDS = 2;

/**
 * Puts the jobs on the clock of the database (pg-boss) and works on them.
 *
 * @returns a function that stops, after the current job or 7 s
 */
export async function startSchedule(jobs: ScheduledJob[]): Promise<() => Promise<void>> {
  // Over our own pool, with its limits in time; `closePools` ends it.
  const boss = new PgBoss({ db: { executeSql: (text, values) => pool("queue").query(text, values) } });
  boss.on("error", (error) => logger().warn({ reason: error.message }, "the job queue reported an error"));
  try {
    await boss.start();
    for (const job of jobs) await take(boss, job);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined); // what it has begun must not go on beside the next try
    throw error;
  }
  return () => boss.stop({ graceful: true, timeout: STOP_LIMITS.work });
}

async function take(boss: PgBoss, { name, cron, run }: ScheduledJob): Promise<void> {
  // `exclusive`: one waits or runs at a time; retries come soon, the next round is near anyway.
  await boss.createQueue(name, { policy: "exclusive", retryLimit: 3, retryDelay: 30, retryBackoff: true });
  await boss.schedule(name, cron, null, { tz: "UTC" });
  await boss.work(name, { pollingIntervalSeconds: POLL_SECONDS }, async () => {
    const since = Date.now();
    const result = await run();
    logger().info({ job: name, ms: Date.now() - since, result }, "a scheduled job finished");
  });
}

import { PgBoss } from "pg-boss";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/app-error";
import { logger } from "#lib/observability/logger";

/** Something that happens by the clock, once in the whole installation however many workers there are. */
export type ScheduledJob = {
  name: string;
  /** Five fields, UTC. */
  cron: string;
  run: () => Promise<unknown>;
};

const STOP_LIMIT_MS = 5000;
/** Jobs by the clock are few and can wait this long. */
const POLL_SECONDS = 2;

/**
 * Puts the jobs on the clock of the database (pg-boss) and works on them.
 *
 * @returns a function that stops, after the job in hand or 5 s
 */
export async function startSchedule(jobs: ScheduledJob[]): Promise<() => Promise<void>> {
  const { DATABASE_URL } = env();
  if (!DATABASE_URL) throw new AppError("unavailable", "DATABASE_URL is not set. Start Signalbox with npm start, or set it.");
  const boss = new PgBoss({ connectionString: DATABASE_URL, application_name: "signalbox-queue", max: 3, connectionTimeoutMillis: 5000 });
  boss.on("error", (error) => logger().warn({ reason: error.message }, "the job queue had an error"));
  await boss.start();
  for (const job of jobs) await take(boss, job);
  return () => boss.stop({ graceful: true, timeout: STOP_LIMIT_MS });
}

async function take(boss: PgBoss, { name, cron, run }: ScheduledJob): Promise<void> {
  // `exclusive`: one waits or runs at a time; retries come soon, the next round is near anyway.
  await boss.createQueue(name, { policy: "exclusive", retryLimit: 3, retryDelay: 30, retryBackoff: true });
  await boss.schedule(name, cron, null, { tz: "UTC" });
  await boss.work(name, { pollingIntervalSeconds: POLL_SECONDS }, async () => {
    const since = Date.now();
    const result = await run();
    logger().info({ job: name, ms: Date.now() - since, result }, "a scheduled job is done");
  });
}

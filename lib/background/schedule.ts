import { PgBoss } from "pg-boss";
import { pool } from "#lib/db/pool";
import { STOP_LIMITS } from "#lib/installation/stop-limits";
import { logger } from "#lib/observability/logger";
import { steadyClock } from "#lib/time/clock";

/** Something that happens by the clock, once in the whole installation however many workers there are. */
export type ScheduledJob = {
  name: string;
  /** Five fields, UTC. */
  cron: string;
  run: () => Promise<unknown>;
};

/** Jobs by the clock are few and can wait this long. */
const POLL_SECONDS = 2;
/** Interval at which it is noticed that the database's clock was set. Seconds. */
const COMPARE_SECONDS = 60;

/** pg-boss waits until its clock shows a time: one that is set back by an hour would have it wait for an hour more. */
const CLOCK = { now: steadyClock(), setTimeout, setInterval, clearTimeout, clearInterval } as NonNullable<
  ConstructorParameters<typeof PgBoss>[0]["clock"]
>;

/**
 * Puts the jobs on the clock of the database (pg-boss) and works on them.
 *
 * @returns a function that stops, after the current job or 7 s
 */
export async function startSchedule(jobs: ScheduledJob[]): Promise<() => Promise<void>> {
  // Over our own pool, with its limits in time; `closePools` ends it.
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool("queue").query(text, values) },
    clock: CLOCK,
    clockMonitorIntervalSeconds: COMPARE_SECONDS,
  });
  const complain = (error: Error) => logger().warn({ reason: error.message }, "the job queue reported an error");
  boss.on("error", complain);
  try {
    await boss.start();
    for (const job of jobs) await take(boss, job);
    await forgetFuture(boss);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined); // what it has begun must not go on beside the next try
    throw error;
  }
  const looking = setInterval(() => void forgetFuture(boss).catch(complain), COMPARE_SECONDS * 1000);
  return () => {
    clearInterval(looking);
    return boss.stop({ graceful: true, timeout: STOP_LIMITS.work });
  };
}

async function take(boss: PgBoss, { name, cron, run }: ScheduledJob): Promise<void> {
  // `exclusive`: one waits or runs at a time; retries come soon, the next round is near anyway.
  await boss.createQueue(name, { policy: "exclusive", retryLimit: 3, retryDelay: 30, retryBackoff: true });
  await boss.schedule(name, cron, null, { tz: "UTC" });
  await boss.work(name, { pollingIntervalSeconds: POLL_SECONDS }, async () => {
    const since = performance.now();
    const result = await run();
    logger().info({ job: name, ms: Math.round(performance.now() - since), result }, "a scheduled job finished");
  });
}

/**
 * After the database's clock was set back, pg-boss would do nothing until the time of its last steps comes again: pass over the jobs, begin
 * one that waits, file the one of a minute. The last pass tells: there is one each half minute.
 */
const FORGET_FUTURE = `WITH ahead AS MATERIALIZED (SELECT FROM pgboss.version WHERE cron_on > now() + interval '1 minute'),
  passes AS (UPDATE pgboss.version SET cron_on = NULL, bam_on = NULL, flow_on = NULL, reindex_on = NULL WHERE EXISTS (SELECT FROM ahead)),
  queues AS (UPDATE pgboss.queue SET monitor_claim_on = NULL, maintain_on = NULL WHERE EXISTS (SELECT FROM ahead))
  UPDATE pgboss.job SET singleton_on = NULL, start_after = least(start_after, now()), started_on = least(started_on, now())
  WHERE EXISTS (SELECT FROM ahead) AND (singleton_on > now() AT TIME ZONE 'UTC' OR start_after > now() OR started_on > now())`;

const forgetFuture = (boss: PgBoss) => boss.getDb().executeSql(FORGET_FUTURE, []);

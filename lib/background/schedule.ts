import { PgBoss } from "pg-boss";
import { env } from "#lib/config/env";
import { checkLogClock, ensurePartitions } from "#lib/db/log-maintenance";
import { pool } from "#lib/db/pool";
import { forgetExpiredValues, watchVolume } from "#lib/flows/event-types/upkeep";
import { applyRetention } from "#lib/flows/events/retention";
import { cleanUp } from "#lib/flows/installation/clean-up";
import { sealUrls } from "#lib/flows/vault/vault-keys";
import { rebuildOutdated } from "#lib/flows/views/rebuild-outdated";
import { STOP_LIMITS } from "#lib/installation/stop-limits";
import { logger } from "#lib/observability/logger";
import { steadyClock } from "#lib/time/clock";

/** Job that runs once in the whole installation, however many workers there are. */
type ScheduledJob = {
  name: string;
  /** Five fields, UTC. */
  cron: string;
  run: () => Promise<unknown>;
};

const POLL_SECONDS = 2;
/** Interval of checking whether the database's clock was set back. */
const COMPARE_SECONDS = 60;

/** pg-boss waits until its clock shows a time: one that is set back by an hour would make it wait an hour longer. */
const CLOCK = { now: steadyClock(), setTimeout, setInterval, clearTimeout, clearInterval } as NonNullable<
  ConstructorParameters<typeof PgBoss>[0]["clock"]
>;

/** Schedules the jobs by the database's clock (pg-boss) and works on them. The returned function waits 7 s for the current job. */
export async function startSchedule(jobs: ScheduledJob[]): Promise<() => Promise<void>> {
  // Our own pool has time limits, and `closePools` ends it.
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
    await boss.stop({ graceful: false }).catch(() => undefined); // what it has begun must not run alongside the next attempt
    throw error;
  }
  const looking = setInterval(() => void forgetFuture(boss).catch(complain), COMPARE_SECONDS * 1000);
  return () => {
    clearInterval(looking);
    return boss.stop({ graceful: true, timeout: STOP_LIMITS.work });
  };
}

async function take(boss: PgBoss, { name, cron, run }: ScheduledJob): Promise<void> {
  // `exclusive`: one waits or runs at a time.
  await boss.createQueue(name, { policy: "exclusive", retryLimit: 3, retryDelay: 30, retryBackoff: true });
  await boss.schedule(name, cron, null, { tz: "UTC" });
  await boss.work(name, { pollingIntervalSeconds: POLL_SECONDS }, async () => {
    const since = performance.now();
    const result = await run();
    logger().info({ job: name, ms: Math.round(performance.now() - since), result }, "a scheduled job finished");
  });
}

/** Clears the later times that pg-boss noted before the database's clock was set back: it would do nothing until they come again.
 * The last scheduling pass shows it: there is one each half minute. */
const FORGET_FUTURE = `WITH ahead AS MATERIALIZED (SELECT FROM pgboss.version WHERE cron_on > now() + interval '1 minute'),
  passes AS (UPDATE pgboss.version SET cron_on = NULL, bam_on = NULL, flow_on = NULL, reindex_on = NULL WHERE EXISTS (SELECT FROM ahead)),
  queues AS (UPDATE pgboss.queue SET monitor_claim_on = NULL, maintain_on = NULL WHERE EXISTS (SELECT FROM ahead))
  UPDATE pgboss.job SET singleton_on = NULL, start_after = least(start_after, now()), started_on = least(started_on, now())
  WHERE EXISTS (SELECT FROM ahead) AND (singleton_on > now() AT TIME ZONE 'UTC' OR start_after > now() OR started_on > now())`;

const forgetFuture = (boss: PgBoss) => boss.getDb().executeSql(FORGET_FUTURE, []);

export const SCHEDULED_JOBS: ScheduledJob[] = [
  { name: "make-partitions", cron: "10 * * * *", run: () => ensurePartitions(new Date()) },
  { name: "keep-log-clock", cron: "15 * * * *", run: checkLogClock },
  { name: "retention", cron: "40 * * * *", run: () => applyRetention() },
  { name: "forget-values", cron: "50 * * * *", run: forgetExpiredValues },
  { name: "watch-volume", cron: "35 0 * * *", run: () => watchVolume(new Date()) },
  { name: "clean-up", cron: "25 * * * *", run: () => cleanUp(new Date()) },
  { name: "rebuild-outdated", cron: "*/5 * * * *", run: () => rebuildOutdated(new Date()) },
  { name: "seal-urls", cron: "*/5 * * * *", run: sealUrls },
  { name: "sandbox-clean-up", cron: "55 * * * *", run: forgetSandboxDeliveries },
];

async function forgetSandboxDeliveries(): Promise<void> {
  if (!env().sandboxOn) return;
  const { pruneDeliveries } = await import("#lib/sandbox/webhooks/deliveries-store");
  await pruneDeliveries(new Date());
}

import { hangingLoops, keepRunning } from "#lib/background/loop";
import { LOOPS } from "#lib/background/loops";
import { SCHEDULED_JOBS, startSchedule } from "#lib/background/schedule";
import { EnvError, env } from "#lib/config/env";
import { ownCommand } from "#lib/config/product";
import { requireSameDatabase } from "#lib/db/database-server";
import { listMissingMigrations } from "#lib/db/migrate";
import { closeListening } from "#lib/db/notifications";
import { closePools } from "#lib/db/pool";
import { setConnections } from "#lib/db/pool-sizes";
import { onceAvailable } from "#lib/db/unavailable";
import { rebuildOutdated } from "#lib/flows/views/rebuild-outdated";
import { requireDataFolder } from "#lib/installation/data-folder";
import { attachToRunning } from "#lib/installation/database";
import { STOP_LIMITS } from "#lib/installation/stop-limits";
import { endTracing, startTracing } from "#lib/observability/active-tracing";
import { logger } from "#lib/observability/logger";
import { markGone } from "#lib/processing/heartbeat-store";
import { inTime } from "#lib/time/waits";
import { assertSchema, assertVaultFits, givenConnections, planAtStart } from "./database-checks.ts";
import { type Lifetime, reportBeats, reportReady, runProcess } from "./lifetime.ts";

// The worker process: everything that happens without a request. `npm run worker` adds another, here or on another machine.

async function main({ stopping, endWith }: Lifetime): Promise<void> {
  const loops: Promise<void>[] = [];
  let schedule: Promise<() => Promise<void>> | undefined;
  // Before anything runs: a stop in the next millisecond must wait for what has begun.
  endWith(async () => {
    await Promise.allSettled([schedule?.then((end) => end()), ...loops]);
    if (loops.length > 0) await markGone().catch(() => undefined);
    await inTime(endTracing(), STOP_LIMITS.traces, () => undefined);
    await closeListening();
    await closePools();
  });
  requireDataFolder();
  await startTracing();
  if (!env().DATABASE_URL) await attachToRunning();
  let connections = givenConnections();
  await onceAvailable(
    async () => {
      // Started by itself, it looks itself; before the first connection of a pool.
      connections ??= (await planAtStart(["worker"])).worker;
      setConnections("worker", connections);
      await assertMigrated();
      await assertVaultFits();
    },
    { signal: stopping, onWait: tellWait },
  );
  if (stopping.aborted) return;
  for (const { name, isOn, run } of LOOPS) if (isOn?.() ?? true) loops.push(keepRunning(name, run, stopping));
  const begin = () => {
    schedule = startSchedule(SCHEDULED_JOBS);
    return schedule;
  };
  await onceAvailable(begin, { signal: stopping, onWait: tellWait });
  await rebuildOutdated(new Date()).catch((error: Error) =>
    logger().warn({ reason: error.message }, "can't ask for rebuilds now; trying again within five minutes"),
  );
  reportBeats(hangingLoops);
  logger().info("the worker is ready");
  reportReady();
}

const tellWait = (reason: string) => logger().warn({ reason }, "waiting for the database; the worker starts when it answers");

/** @throws EnvError if this version has not prepared the database yet, or a newer one has */
async function assertMigrated(): Promise<void> {
  const { DATABASE_URL = "", directUrl } = env();
  await assertSchema(DATABASE_URL);
  await requireSameDatabase(DATABASE_URL, directUrl);
  const missing = await listMissingMigrations(DATABASE_URL);
  if (missing.length === 0) return;
  throw new EnvError(
    `The database lacks migrations of this version, the first is ${missing[0]}.\nStart Signalbox of this version first (${ownCommand("start")}, or the container's "migrate"): it applies them.`,
  );
}

await runProcess(main);

import { env } from "#lib/config/env";
import { closeListening } from "#lib/db/listen";
import { closePools } from "#lib/db/pool";
import { closePrisma } from "#lib/db/prisma";
import { LOOPS } from "#lib/jobs/loops";
import { SCHEDULED_JOBS } from "#lib/jobs/scheduled-jobs";
import { logger } from "#lib/observability/logger";
import { markGone } from "#lib/queue/heartbeat-store";
import { keepRunning } from "#lib/queue/loop";
import { startSchedule } from "#lib/queue/schedule";
import { attachToRunning } from "./attach.ts";
import { endWith, reportReady, runProcess } from "./lifetime.ts";
import { assertVaultFits } from "./vault-fits.ts";

// The worker process: everything that happens without a request. `npm start`
// runs one; `npm run worker` adds another, here or on another machine.

async function main(): Promise<void> {
  if (!env().DATABASE_URL) await attachToRunning();
  await assertVaultFits();
  const abort = new AbortController();
  const loops = LOOPS.filter(({ isOn }) => isOn?.() ?? true).map(({ name, run }) => keepRunning(name, run, abort.signal));
  const stopSchedule = await startSchedule(SCHEDULED_JOBS);
  endWith(async () => {
    abort.abort();
    await Promise.all([stopSchedule(), ...loops]);
    await markGone().catch(() => undefined);
    await Promise.all([closePrisma(), closeListening()]);
    await closePools();
  });
  logger().info("the worker is at work");
  reportReady();
}

await runProcess(main);

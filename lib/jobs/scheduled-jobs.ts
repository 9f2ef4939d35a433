import { env } from "#lib/config/env";
import { ensurePartitions } from "#lib/db/partitions";
import { applyRetention } from "#lib/flows/apply-retention";
import { cleanUp } from "#lib/flows/clean-up";
import type { ScheduledJob } from "#lib/queue/schedule";

/** What happens by the clock. */
export const SCHEDULED_JOBS: ScheduledJob[] = [
  { name: "make-partitions", cron: "10 0 * * *", run: ensurePartitions },
  { name: "retention", cron: "40 * * * *", run: () => applyRetention() },
  { name: "clean-up", cron: "25 * * * *", run: () => cleanUp() },
  { name: "sandbox-clean-up", cron: "55 * * * *", run: forgetSandboxDeliveries },
];

/** Loaded only where it is switched on: it is the other side, and no part of a real installation. */
async function forgetSandboxDeliveries(): Promise<void> {
  if (!env().sandboxOn) return;
  const { pruneDeliveries } = await import("#lib/sandbox/deliveries-store");
  await pruneDeliveries(new Date());
}

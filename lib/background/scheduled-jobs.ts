import { env } from "#lib/config/env";
import { checkLogClock } from "#lib/db/log/log-clock";
import { ensurePartitions } from "#lib/db/log/partitions";
import { applyRetention } from "#lib/flows/events/apply-retention";
import { cleanUp } from "#lib/flows/installation/clean-up";
import { sealUrls } from "#lib/flows/vault/seal-urls";
import { rebuildOutdated } from "#lib/flows/views/rebuild/rebuild-outdated";
import type { ScheduledJob } from "./schedule.ts";

export const SCHEDULED_JOBS: ScheduledJob[] = [
  { name: "make-partitions", cron: "10 * * * *", run: () => ensurePartitions(new Date()) },
  { name: "keep-log-clock", cron: "15 * * * *", run: checkLogClock },
  { name: "retention", cron: "40 * * * *", run: () => applyRetention() },
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

import { ensurePartitions } from "#lib/db/partitions";
import { pool } from "#lib/db/pool";
import { cleanUp } from "#lib/flows/clean-up";
import type { ScheduledJob } from "#lib/queue/schedule";

/** What happens by the clock. */
export const SCHEDULED_JOBS: ScheduledJob[] = [
  { name: "make-partitions", cron: "10 0 * * *", run: () => ensurePartitions(pool("worker")) },
  { name: "clean-up", cron: "25 * * * *", run: () => cleanUp() },
];

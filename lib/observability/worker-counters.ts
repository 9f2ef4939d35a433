import { once } from "#lib/context/once";

/**
 * Counters of a worker since it began, by name, with the meaning of each. The
 * worker has no port: its counters are sent with its heartbeat and come out of
 * any web process's `/metrics` as `signalbox_<name>_total`, summed over all workers.
 */
export const WORKER_COUNTERS = {
  events_applied: "Deliveries applied to the records",
  attempts_retried: "Attempts that failed and will be retried",
  attempts_failed: "Attempts that failed permanently: each created or renewed a dead letter",
  batches: "Inbox batches committed",
  batch_seconds: "Seconds spent on batches of deliveries, from claim to commit",
  batches_failed: "Inbox batches that failed as a whole and were retried event by event",
  inbox_errors: "Rounds of applying deliveries that failed because the database was unavailable",
  events_expired: "Events deleted from the log by retention",
} as const;

export type WorkerCounter = keyof typeof WORKER_COUNTERS;
export type WorkerCounts = Partial<Record<WorkerCounter, number>>;

/** Returns what this process has counted so far. */
export const workerCounts = (): WorkerCounts => once<WorkerCounts>("worker-counts", () => ({}));

/** Counts work that is committed. */
export function countWork(work: WorkerCounts): void {
  const counts = workerCounts();
  for (const [name, by] of Object.entries(work) as [WorkerCounter, number][]) counts[name] = (counts[name] ?? 0) + by;
}

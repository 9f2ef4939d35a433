/**
 * What a worker counts since it began, by name, with what each means. The
 * worker has no port: its counters travel with its sign of life and come out of
 * any web process's `/metrics` as `signalbox_<name>_total`, summed over all workers.
 */
export const WORKER_COUNTERS = {
  events_applied: "Deliveries that were applied to the views",
  attempts_retried: "Tries that failed and will be tried again",
  attempts_failed: "Tries that failed for good: each made or renewed a dead letter",
  batches: "Batches of the inbox that were committed",
  batch_seconds: "Seconds spent on batches of the inbox, from claim to commit",
  batches_refused: "Batches that the database refused whole and that were then tried event by event",
  inbox_errors: "Rounds of the inbox that failed for want of the database",
  events_expired: "Events that left the log because every policy was past them",
} as const;

export type WorkerCounter = keyof typeof WORKER_COUNTERS;
export type WorkerCounts = Partial<Record<WorkerCounter, number>>;

const shared = globalThis as typeof globalThis & { signalboxWorkerCounts?: WorkerCounts };

/** What this process has counted so far. */
export function workerCounts(): WorkerCounts {
  shared.signalboxWorkerCounts ??= {};
  return shared.signalboxWorkerCounts;
}

/** Counts work that is committed. */
export function countWork(work: WorkerCounts): void {
  const counts = workerCounts();
  for (const [name, by] of Object.entries(work) as [WorkerCounter, number][]) counts[name] = (counts[name] ?? 0) + by;
}

import { once } from "#lib/context/once";

/** A worker has no port: its heartbeat sends them, and any web process's `/metrics` has the sum as `signalbox_<name>_total`. */
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

export const workerCounts = (): WorkerCounts => once<WorkerCounts>("worker-counts", () => ({}));

export function countWork(work: WorkerCounts): void {
  const counts = workerCounts();
  for (const [name, by] of Object.entries(work) as [WorkerCounter, number][]) counts[name] = (counts[name] ?? 0) + by;
}

import { Counter, Gauge, Registry } from "prom-client";
import { findDatabaseSize } from "#lib/db/ping-store";
import { measureBacklog } from "#lib/deliveries/backlog-store";
import { metrics } from "#lib/observability/metrics";
import { WORKER_COUNTERS, type WorkerCounter } from "#lib/observability/worker-counters";
import { sumWorkerCounts } from "#lib/queue/heartbeat-store";
import { WORKER_SILENT_MS } from "./read-readiness.ts";

/** A scrape waits for the database no longer than this, in milliseconds: a silent one must not take the rest with it. */
const PATIENCE_MS = 2000;
/** Anyone may ask: the database is asked no more often than this, in milliseconds. */
const FRESH_MS = 2000;

type Figures = { backlog: Awaited<ReturnType<typeof measureBacklog>>; workers: Awaited<ReturnType<typeof sumWorkerCounts>>; bytes: number };

let last: { at: number; figures: Promise<Figures | null> } | undefined;

/**
 * Everything that `/metrics` answers, in the Prometheus text format: what this
 * process counts itself, and what the database knows of the whole installation,
 * the workers' counters among it. Without a database the latter is left out and
 * `signalbox_database_up` is 0.
 */
export async function readMetrics(): Promise<{ contentType: string; text: string }> {
  if (!last || Date.now() - last.at > FRESH_MS) last = { at: Date.now(), figures: measure() };
  const registry = Registry.merge([metrics().registry, installationRegistry(await last.figures)]);
  return { contentType: registry.contentType, text: await registry.metrics() };
}

function measure(): Promise<Figures | null> {
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS).unref());
  return Promise.race([askDatabase(), late]);
}

async function askDatabase(): Promise<Figures | null> {
  try {
    const [backlog, workers, bytes] = await Promise.all([measureBacklog(), sumWorkerCounts(WORKER_SILENT_MS), findDatabaseSize()]);
    return { backlog, workers, bytes };
  } catch {
    return null; // told by signalbox_database_up
  }
}

function installationRegistry(figures: Figures | null): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: number) =>
    new Gauge({ name: `signalbox_${name}`, help, registers: [registry] }).set(value);
  gauge("database_up", "1 when the database answered this scrape, else 0", figures ? 1 : 0);
  if (!figures) return registry;
  const { backlog, workers, bytes } = figures;
  gauge("inbox_depth", "Deliveries that wait to be applied, those that wait for their next try included", backlog.waiting);
  gauge("inbox_lag_seconds", "How long the delivery that is due the longest has been due", backlog.lagSeconds);
  gauge("dead_letters", "Events whose last try failed", backlog.deadLetters);
  gauge("workers_alive", "Workers that gave a sign of life lately", workers.alive);
  gauge("database_bytes", "Size of the database", bytes);
  for (const [name, help] of Object.entries(WORKER_COUNTERS)) {
    new Counter({ name: `signalbox_${name}_total`, help, registers: [registry] }).inc(workers.counts[name as WorkerCounter] ?? 0);
  }
  return registry;
}

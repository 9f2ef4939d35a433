import { Counter, Gauge, Registry } from "prom-client";
import { countConnections } from "#lib/connections/connection-store";
import { shareFor } from "#lib/context/once";
import type { ConnectionState } from "#lib/contracts/connection-filters";
import { findDatabaseSize } from "#lib/db/database-health-store";
import { measureHorizonAge } from "#lib/events/log/event-lookup-store";
import { LATENCY_BOUNDS_MS } from "#lib/forwarding/delivery";
import { type ForwardingFigures, measureForwarding } from "#lib/forwarding/destination-store";
import { metrics, StoredHistogram, WORKER_COUNTERS, type WorkerCounter } from "#lib/observability/metrics";
import { measureBacklog } from "#lib/processing/backlog-store";
import { sumWorkerCounts } from "#lib/processing/heartbeat-store";
import { listLockedSources } from "#lib/sources/source-store";
import { inTime } from "#lib/time/waits";
import { VaultError } from "#lib/vault/vault";
import { readBackupStatus, readProofStatus } from "./backup/read-backups.ts";

/** Time that a scrape waits for the database: a silent one must not take the rest with it. */
const READ_TIMEOUT_MS = 2000;
/** Anyone may scrape: the database is asked no more often than this. */
const FRESH_MS = 2000;

type Figures = {
  backlog: Awaited<ReturnType<typeof measureBacklog>>;
  workers: Awaited<ReturnType<typeof sumWorkerCounts>>;
  bytes: number;
  horizonAgeMs: number | null;
  /** Ages count from the set-up while there is no good backup; the interval is 0 for none. */
  backup: { ageSeconds: number; storedAgeSeconds: number; everySeconds: number };
  /** The interval is 0 for none; `failed`: the latest one. */
  proof: { ageSeconds: number; everySeconds: number; failed: boolean };
  forwarding: ForwardingFigures[];
  connections: Record<ConnectionState, number>;
  /** Sources that can't verify for lack of a vault key; null while there is no key at all. */
  lockedSources: number | null;
};

const readFigures = shareFor("installation-figures", FRESH_MS, (now) => inTime(askDatabase(now), READ_TIMEOUT_MS, () => null));

/** Returns Prometheus text: what this process counts, and what the database knows of the installation, left out while it is unavailable. */
export async function readMetrics(): Promise<{ contentType: string; text: string }> {
  const registry = Registry.merge([metrics().registry, installationRegistry(await readFigures())]);
  return { contentType: registry.contentType, text: await registry.metrics() };
}

async function askDatabase(now: Date): Promise<Figures | null> {
  try {
    const [
      backlog,
      workers,
      bytes,
      horizonAgeMs,
      { ageSeconds, storedAgeSeconds, schedule },
      proved,
      forwarding,
      connections,
      lockedSources,
    ] = await Promise.all([
      measureBacklog(),
      sumWorkerCounts(),
      findDatabaseSize(),
      measureHorizonAge(now),
      readBackupStatus(),
      readProofStatus(),
      measureForwarding(),
      countConnections(),
      countLockedSources(),
    ]);
    const backup = { ageSeconds, storedAgeSeconds, everySeconds: (schedule?.everyHours ?? 0) * 3600 };
    const proof = {
      ageSeconds: proved?.ageSeconds ?? 0,
      everySeconds: (proved?.everyHours ?? 0) * 3600,
      failed: (proved?.failure ?? null) !== null,
    };
    return { backlog, workers, bytes, horizonAgeMs, backup, proof, forwarding, connections, lockedSources };
  } catch {
    return null; // reported by signalbox_database_up
  }
}

const countLockedSources = () =>
  listLockedSources().then(
    ({ length }) => length,
    (error: unknown) => {
      if (error instanceof VaultError) return null;
      throw error;
    },
  );

export function installationRegistry(figures: Figures | null): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: number) =>
    new Gauge({ name: `signalbox_${name}`, help, registers: [registry] }).set(value);
  gauge("database_up", "1 if the database responded to this scrape, otherwise 0", figures ? 1 : 0);
  if (!figures) return registry;
  const { backlog, workers, bytes, horizonAgeMs } = figures;
  if (backlog) {
    const depth =
      "Deliveries waiting to be applied, including those waiting to be retried; of a workspace's log 100,000 at most are counted";
    gauge("inbox_depth", depth, backlog.waiting);
    gauge("inbox_lag_seconds", "How long the most overdue delivery has been due", backlog.lagSeconds);
    gauge("dead_letters", "Events whose last attempt failed", backlog.deadLetters);
  }
  gauge("log_horizon_age_seconds", "How long the oldest event not yet visible in feed and search has waited", (horizonAgeMs ?? 0) / 1000);
  gauge("workers_alive", "Workers with a recent heartbeat", workers.alive);
  gauge("database_bytes", "Size of the database", bytes);
  addBackups(gauge, figures);
  if (figures.lockedSources !== null)
    gauge("locked_sources", "Sources whose webhooks are answered 503: VAULT_KEYS lacks the key of their secrets", figures.lockedSources);
  const connections = new Gauge({
    name: "signalbox_connections",
    help: "Connections to the platform by state",
    labelNames: ["state"],
    registers: [registry],
  });
  for (const [state, count] of Object.entries(figures.connections)) connections.set({ state }, count);
  addForwarding(registry, figures.forwarding);
  for (const [name, help] of Object.entries(WORKER_COUNTERS)) {
    new Counter({ name: `signalbox_${name}_total`, help, registers: [registry] }).inc(workers.counts[name as WorkerCounter] ?? 0);
  }
  return registry;
}

function addBackups(gauge: (name: string, help: string, value: number) => void, { backup, proof }: Figures): void {
  gauge("backup_age_seconds", "How old the last good scheduled backup is; counted from the set-up while there is none", backup.ageSeconds);
  gauge(
    "backup_stored_age_seconds",
    "How old the last good backup in the store is; counted from the first that was to go there while there is none, 0 without a store",
    backup.storedAgeSeconds,
  );
  gauge(
    "backup_interval_seconds",
    "How often a backup is scheduled; 0 while neither BACKUP_DIR nor BACKUP_S3_URL is set",
    backup.everySeconds,
  );
  gauge(
    "backup_proved_age_seconds",
    "How long ago a stored backup was last restored into a scratch database and compared; counted from the first stored one while none was",
    proof.ageSeconds,
  );
  gauge("backup_prove_interval_seconds", "How often a stored backup is restored to prove it; 0 for never", proof.everySeconds);
  gauge("backup_proof_failed", "1 while the latest restore of a stored backup failed", proof.failed ? 1 : 0);
}

const BREAKER_STATES = { active: 0, paused: 1, suspended: 2 };

/** Labels by the destination's ID: names change, and are people's own. */
function addForwarding(registry: Registry, figures: ForwardingFigures[]): void {
  const options = <T extends string>(name: string, help: string, labelNames: T[]) => ({
    name: `signalbox_forward_${name}`,
    help,
    labelNames,
    registers: [registry],
  });
  const attempts = new Counter(options("attempts_total", "Attempts to send to a destination", ["destination", "outcome"]));
  const depth = new Gauge(options("depth", "Deliveries to a destination that are not sent yet, held ones among them", ["destination"]));
  const oldest = new Gauge(options("oldest_seconds", "How long the most overdue of them has been due", ["destination"]));
  const breaker = new Gauge(
    options("breaker_state", "0 active, 1 paused by a person, 2 suspended by the circuit breaker", ["destination"]),
  );
  const latency = new StoredHistogram(registry, {
    name: "signalbox_forward_latency_seconds",
    help: "Duration of successful attempts to a destination",
    labelNames: ["destination"],
    bounds: LATENCY_BOUNDS_MS.map((ms) => ms / 1000),
  });
  for (const { destination, state, delivered, failed, depth: waiting, oldestSeconds, latencyCounts, latencySeconds } of figures) {
    attempts.inc({ destination, outcome: "delivered" }, delivered);
    attempts.inc({ destination, outcome: "failed" }, failed);
    depth.set({ destination }, waiting);
    oldest.set({ destination }, oldestSeconds);
    breaker.set({ destination }, BREAKER_STATES[state]);
    latency.put({ destination }, latencyCounts, latencySeconds);
  }
}

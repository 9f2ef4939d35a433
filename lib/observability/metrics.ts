import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from "prom-client";
import { once } from "#lib/context/once";

export type Metrics = {
  registry: Registry;
  webhookRequests: Counter<"outcome">;
  acknowledgement: Histogram;
  commitGroup: Histogram;
  commitSeconds: Histogram;
  openFeeds: Gauge;
  requestsRejected: Counter<"reason">;
  connections: Gauge;
  /** Closed at the limit: `idle` for a new one, `limit` at once. */
  connectionsClosed: Counter<"reason">;
};

export function metrics(): Metrics {
  return once("metrics", create);
}

/** Gauges of prom-client with a counter's name, which promtool reports; the same ones by type stay. */
const MISNAMED = ["nodejs_active_resources_total", "nodejs_active_handles_total", "nodejs_active_requests_total"];

function create(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "signalbox_" });
  for (const name of MISNAMED) registry.removeSingleMetric(`signalbox_${name}`);
  return {
    registry,
    webhookRequests: new Counter({
      name: "signalbox_webhook_requests_total",
      help: "Webhook requests by outcome",
      labelNames: ["outcome"],
      registers: [registry],
    }),
    acknowledgement: new Histogram({
      name: "signalbox_webhook_acknowledgement_seconds",
      help: "Time from a verified request to its acknowledgement",
      buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    }),
    commitGroup: new Histogram({
      name: "signalbox_commit_group_size",
      help: "Events that shared one commit",
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers: [registry],
    }),
    commitSeconds: new Histogram({
      name: "signalbox_commit_seconds",
      help: "Time the database took to store and commit a group of events",
      buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [registry],
    }),
    openFeeds: new Gauge({ name: "signalbox_open_feeds", help: "Open event streams", registers: [registry] }),
    ...createServerMetrics(registry),
  };
}

const createServerMetrics = (registry: Registry) => ({
  requestsRejected: new Counter({
    name: "signalbox_http_requests_rejected_total",
    help: "Requests rejected before reaching a route",
    labelNames: ["reason"],
    registers: [registry],
  }),
  connections: new Gauge({ name: "signalbox_http_connections", help: "Open connections", registers: [registry] }),
  connectionsClosed: new Counter({
    name: "signalbox_http_connections_closed_total",
    help: "Connections closed because the limit was reached",
    labelNames: ["reason"],
    registers: [registry],
  }),
});

type Options<T extends string> = { name: string; help: string; labelNames: T[]; bounds: readonly number[] };

/** A histogram whose observations were counted elsewhere, such as in a database. */
export class StoredHistogram<T extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: T[];
  private readonly bounds: readonly number[];
  private readonly stored: { labels: Record<T, string>; counts: number[]; sum: number }[] = [];

  /** `bounds` are upper bounds; a bucket without a bound follows. */
  constructor(registry: Registry, { name, help, labelNames, bounds }: Options<T>) {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
    this.bounds = bounds;
    // A registry only asks a metric for its name and its values (`get`).
    registry.registerMetric(this as unknown as Metric<T>);
  }

  /** `counts`: observations by bucket, the last one without a bound; missing ones are 0. */
  put(labels: Record<T, string>, counts: number[], sum: number): void {
    this.stored.push({ labels, counts, sum });
  }

  async get() {
    const values = this.stored.flatMap(({ labels, counts, sum }) => {
      let total = 0;
      const buckets = [...this.bounds, "+Inf"].map((le, at) => {
        total += counts[at] ?? 0;
        return { labels: { ...labels, le }, value: total, metricName: `${this.name}_bucket` };
      });
      return [
        ...buckets,
        { labels, value: sum, metricName: `${this.name}_sum` },
        { labels, value: total, metricName: `${this.name}_count` },
      ];
    });
    return { name: this.name, help: this.help, type: "histogram", aggregator: "sum", values };
  }
}

/** A worker has no port: its heartbeat sends them, and any web process's `/metrics` has the sum as `signalbox_<name>_total`. */
export const WORKER_COUNTERS = {
  events_applied: "Deliveries applied to the records",
  attempts_retried: "Attempts that failed and will be retried",
  attempts_failed: "Attempts that failed permanently: each created or renewed a dead letter",
  batches: "Inbox batches committed",
  batch_seconds: "Seconds spent on batches of deliveries, from claim to commit",
  batches_failed: "Inbox batches that failed as a whole and were retried event by event",
  inbox_errors: "Rounds of applying deliveries that failed because the database was unavailable",
  schema_faults: "Events from which the schema of their type could not be learnt; they were applied all the same",
  events_expired: "Events deleted from the log by retention",
} as const;

export type WorkerCounter = keyof typeof WORKER_COUNTERS;
export type WorkerCounts = Partial<Record<WorkerCounter, number>>;

export const workerCounts = (): WorkerCounts => once<WorkerCounts>("worker-counts", () => ({}));

export function countWork(work: WorkerCounts): void {
  const counts = workerCounts();
  for (const [name, by] of Object.entries(work) as [WorkerCounter, number][]) counts[name] = (counts[name] ?? 0) + by;
}

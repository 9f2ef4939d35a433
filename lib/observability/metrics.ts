import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

type Metrics = {
  registry: Registry;
  /** Webhook requests by how they were answered: `stored`, `duplicate`, `signature_mismatch`, `too_large`… */
  webhookRequests: Counter<"outcome">;
  /** Seconds from the request's last byte to its answer, for verified events. */
  acknowledgement: Histogram;
  /** Events that shared one commit. */
  commitGroup: Histogram;
  /** Seconds from the begin of a group's statements to their commit. */
  commitSeconds: Histogram;
  /** Open event streams. */
  openFeeds: Gauge;
};

const shared = globalThis as typeof globalThis & { signalboxMetrics?: Metrics };

/** This process's metrics, for `/metrics` (Prometheus text format). */
export function metrics(): Metrics {
  shared.signalboxMetrics ??= create();
  return shared.signalboxMetrics;
}

function create(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "signalbox_" });
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
      help: "Time that the database took to store and commit a group of events",
      buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [registry],
    }),
    openFeeds: new Gauge({ name: "signalbox_open_feeds", help: "Open event streams", registers: [registry] }),
  };
}

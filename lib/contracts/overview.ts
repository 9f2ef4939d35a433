import * as z from "zod/mini";
import { connection } from "./connections.ts";
import { issue } from "./issues.ts";

const action = z.object({ label: z.string(), href: z.string() });

/** `action` is null if only some roles may open its page. */
const condition = z.object({ level: z.enum(["attention", "failed"]), sentence: z.string(), action: z.nullable(action) });
export type Condition = z.infer<typeof condition>;

/** Counts above 1,000 are capped (`1001`), events of the day at 100,001. */
export const overview = z.object({
  verdict: z.object({
    level: z.enum(["fine", "attention", "failed"]),
    sentence: z.string(),
    action: z.nullable(action),
  }),
  /** The worst first: the verdict is the first of them. */
  conditions: z.array(condition),
  eventsToday: z.int(),
  pending: z.int(),
  failures: z.int(),
  openIssues: z.object({ processing: z.int(), platform: z.int(), forwarding: z.int() }),
  newestIssues: z.array(issue),
  quarantinedToday: z.int(),
  /** Neither released nor dismissed; capped above 10,000 (`10001`). */
  quarantined: z.int(),
  /** Requests of the last 24 hours that likely come from the platform: they verified, or read as an event. */
  likelyGenuine: z.int(),
  missingEvents: z.int(),
  latency: z.object({ p50Ms: z.nullable(z.number()), p95Ms: z.nullable(z.number()) }),
  perMinute: z.array(z.object({ minute: z.string(), received: z.int(), failed: z.int(), repaired: z.int(), reported: z.int() })),
  lagMs: z.nullable(z.number()),
  workerSeenAt: z.nullable(z.string()),
  connections: z.array(connection),
  /** Losses that acknowledged events survive; continues "Acknowledged events". */
  acknowledged: z.string(),
  /** `overdue`: older than twice the interval. `missing`: no longer in BACKUP_DIR. `proofFailed`: the latest test restore failed. */
  backup: z.object({
    scheduled: z.boolean(),
    lastGoodAt: z.nullable(z.string()),
    overdue: z.boolean(),
    storeOverdue: z.boolean(),
    missing: z.int(),
    proofFailed: z.boolean(),
  }),
  notified: z.boolean(),
  setup: z.object({ connected: z.boolean(), firstEvent: z.boolean() }),
});
export type Overview = z.infer<typeof overview>;

/** Since the person's last visit; `since` is null at the first one, and for an API key. */
export const changes = z.object({
  since: z.nullable(z.string()),
  events: z.int(),
  openedIssues: z.int(),
  resolvedIssues: z.int(),
  quarantined: z.int(),
  connections: z.int(),
});
export type Changes = z.infer<typeof changes>;

/** Counts above 1,000 are capped (`1001`). */
export const counts = z.object({
  pending: z.int(),
  openIssues: z.int(),
  quarantinedToday: z.int(),
  quarantined: z.int(),
  missingEvents: z.int(),
  needReconnect: z.int(),
  destinations: z.int(),
  suspendedDestinations: z.int(),
});
export type Counts = z.infer<typeof counts>;

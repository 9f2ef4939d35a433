import * as z from "zod/mini";
import { connection } from "./connections.ts";
import { issue } from "./issues.ts";

const action = z.object({ label: z.string(), href: z.string() });

/** Something that needs attention: red or amber, in words, with where to go unless only some roles may open that page. */
const condition = z.object({ level: z.enum(["attention", "failed"]), sentence: z.string(), action: z.nullable(action) });
export type Condition = z.infer<typeof condition>;

/** `GET /api/v1/overview`: is all well, and if not, what first? Counts above 1,000 are capped (`1001`), events of the day at 100,001. */
export const overview = z.object({
  verdict: z.object({
    level: z.enum(["fine", "attention", "failed"]),
    sentence: z.string(),
    action: z.nullable(action),
  }),
  /** All that asks for somebody, the worst first: the verdict is the first of them. */
  conditions: z.array(condition),
  eventsToday: z.int(),
  pending: z.int(),
  /** Events that could not be applied and still are not. */
  failures: z.int(),
  openIssues: z.object({ processing: z.int(), platform: z.int(), forwarding: z.int() }),
  /** The open issues that failed last, three at most. */
  newestIssues: z.array(issue),
  /** Quarantined in the last 24 hours and neither released nor dismissed. */
  quarantinedToday: z.int(),
  /** Requests in quarantine, neither released nor dismissed; capped above 10,000 (`10001`). */
  quarantined: z.int(),
  /** Requests of the last 24 hours that likely come from the platform: they verified, or read as an event. */
  likelyGenuine: z.int(),
  /** Missing events that nobody has dismissed. */
  missingEvents: z.int(),
  latency: z.object({ p50Ms: z.nullable(z.number()), p95Ms: z.nullable(z.number()) }),
  /** The last 60 minutes, oldest first. */
  perMinute: z.array(z.object({ minute: z.string(), received: z.int(), failed: z.int() })),
  /** Time that the oldest event has waited to be applied, in milliseconds; null when none waits. */
  lagMs: z.nullable(z.number()),
  workerSeenAt: z.nullable(z.string()),
  connections: z.array(connection),
  /** Losses that acknowledged events survive, in words after "Acknowledged events". */
  acknowledged: z.string(),
  /**
   * Scheduled backups of the installation. `overdue` while the last good one is older than twice the interval, `storeOverdue`
   * while the last one in the store is; `missing` of the newest are no longer in BACKUP_DIR;
   * `proofFailed` while the latest test restore of a stored one has failed.
   */
  backup: z.object({
    scheduled: z.boolean(),
    lastGoodAt: z.nullable(z.string()),
    overdue: z.boolean(),
    storeOverdue: z.boolean(),
    missing: z.int(),
    proofFailed: z.boolean(),
  }),
  /** There is an alert channel: somebody is told. */
  notified: z.boolean(),
  setup: z.object({ connected: z.boolean(), firstEvent: z.boolean() }),
});
export type Overview = z.infer<typeof overview>;

/** `GET /api/v1/overview/changes`: what is new since the person's last visit; `since` is null at the first, and for a key. */
export const changes = z.object({
  since: z.nullable(z.string()),
  events: z.int(),
  openedIssues: z.int(),
  resolvedIssues: z.int(),
  quarantined: z.int(),
  /** Connections with something new in their timeline. */
  connections: z.int(),
});
export type Changes = z.infer<typeof changes>;

/** `GET /api/v1/overview/counts`: what asks for attention. Counts above 1,000 are capped (`1001`). */
export const counts = z.object({
  /** Events that wait to be applied. */
  pending: z.int(),
  openIssues: z.int(),
  quarantinedToday: z.int(),
  /** All that is in quarantine, neither released nor dismissed; never capped. */
  quarantined: z.int(),
  /** Missing events that nobody has dismissed. */
  missingEvents: z.int(),
  needReconnect: z.int(),
  destinations: z.int(),
  /** Destinations to which nothing is sent because they failed. */
  suspendedDestinations: z.int(),
});
export type Counts = z.infer<typeof counts>;

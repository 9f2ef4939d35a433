import * as z from "zod/mini";
import { connection } from "./connections.ts";
import { issue } from "./issues.ts";

/** `GET /api/v1/overview`: is all well, and if not, what first? Counts above 1,000 are capped (`1001`), events of the day at 100,001. */
export const overview = z.object({
  verdict: z.object({
    level: z.enum(["fine", "attention", "failed"]),
    sentence: z.string(),
    action: z.nullable(z.object({ label: z.string(), href: z.string() })),
  }),
  eventsToday: z.int(),
  pending: z.int(),
  /** Events that could not be applied and still are not. */
  failures: z.int(),
  openIssues: z.object({ processing: z.int(), platform: z.int() }),
  /** The open issues that failed last, three at most. */
  newestIssues: z.array(issue),
  refusedToday: z.int(),
  /** What never came, as far as the log tells, and nobody has dismissed. */
  findings: z.int(),
  latency: z.object({ p50Ms: z.nullable(z.number()), p95Ms: z.nullable(z.number()) }),
  /** The last 60 minutes, oldest first. */
  perMinute: z.array(z.object({ minute: z.string(), received: z.int(), failed: z.int() })),
  /** How long the oldest event waits to be applied, in milliseconds; null when none waits. */
  lagMs: z.nullable(z.number()),
  workerSeenAt: z.nullable(z.string()),
  connections: z.array(connection),
  setup: z.object({ connected: z.boolean(), firstEvent: z.boolean() }),
});
export type Overview = z.infer<typeof overview>;

/** `GET /api/v1/overview/changes`: what is new since the person's last visit; `since` is null at the first, and for a key. */
export const changes = z.object({
  since: z.nullable(z.string()),
  events: z.int(),
  openedIssues: z.int(),
  resolvedIssues: z.int(),
  refused: z.int(),
  /** Connections with something new in their timeline. */
  connections: z.int(),
});
export type Changes = z.infer<typeof changes>;

/** `GET /api/v1/overview/counts`: what asks for attention. Counts above 1,000 are capped (`1001`). */
export const counts = z.object({
  /** Events that wait to be applied. */
  pending: z.int(),
  openIssues: z.int(),
  refusedToday: z.int(),
  /** What never came, as far as the log tells, and nobody has dismissed. */
  findings: z.int(),
  needReconnect: z.int(),
});
export type Counts = z.infer<typeof counts>;

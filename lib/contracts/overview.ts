import { z } from "zod";
import { connection } from "./connections.ts";
import { issue } from "./issues.ts";

/** `GET /api/v1/overview`: is all well, and if not, what first? Counts above 1,000 are capped (`1001`), events of the day at 100,001. */
export const overview = z.object({
  verdict: z.object({
    level: z.enum(["fine", "attention", "failed"]),
    sentence: z.string(),
    action: z.object({ label: z.string(), href: z.string() }).nullable(),
  }),
  eventsToday: z.number().int(),
  pending: z.number().int(),
  /** Events that could not be applied and still are not. */
  failures: z.number().int(),
  openIssues: z.object({ processing: z.number().int(), platform: z.number().int() }),
  /** The open issues that failed last, three at most. */
  newestIssues: z.array(issue),
  refusedToday: z.number().int(),
  /** What never came, as far as the log tells, and nobody has dismissed. */
  findings: z.number().int(),
  latency: z.object({ p50Ms: z.number().nullable(), p95Ms: z.number().nullable() }),
  /** The last 60 minutes, oldest first. */
  perMinute: z.array(z.object({ minute: z.string(), received: z.number().int(), failed: z.number().int() })),
  /** How long the oldest event waits to be applied, in milliseconds; null when none waits. */
  lagMs: z.number().nullable(),
  workerSeenAt: z.string().nullable(),
  connections: z.array(connection),
  setup: z.object({ connected: z.boolean(), firstEvent: z.boolean() }),
});
export type Overview = z.infer<typeof overview>;

/** `GET /api/v1/overview/changes`: what is new since the person's last visit; `since` is null at the first, and for a key. */
export const changes = z.object({
  since: z.string().nullable(),
  events: z.number().int(),
  openedIssues: z.number().int(),
  resolvedIssues: z.number().int(),
  refused: z.number().int(),
  /** Connections with something new in their timeline. */
  connections: z.number().int(),
});
export type Changes = z.infer<typeof changes>;

/** `GET /api/v1/overview/counts`: what asks for attention. Counts above 1,000 are capped (`1001`). */
export const counts = z.object({
  /** Events that wait to be applied. */
  pending: z.number().int(),
  openIssues: z.number().int(),
  refusedToday: z.number().int(),
  /** What never came, as far as the log tells, and nobody has dismissed. */
  findings: z.number().int(),
  needReconnect: z.number().int(),
});
export type Counts = z.infer<typeof counts>;

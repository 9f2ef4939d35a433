import { z } from "zod";
import { connection } from "./connections.ts";

/** `GET /api/v1/overview`: is all well, and if not, what first? Counts above 1,000 are capped (`1001`). */
export const overview = z.object({
  verdict: z.object({
    level: z.enum(["fine", "attention", "failed"]),
    sentence: z.string(),
    action: z.object({ label: z.string(), href: z.string() }).nullable(),
  }),
  eventsToday: z.number().int(),
  pending: z.number().int(),
  failures: z.number().int(),
  platformFailures: z.number().int(),
  refusedToday: z.number().int(),
  /** What never came, as far as the log tells, and nobody has dismissed. */
  findings: z.number().int(),
  latency: z.object({ p50Ms: z.number().nullable(), p95Ms: z.number().nullable() }),
  /** The last 60 minutes, oldest first. */
  perMinute: z.array(z.object({ minute: z.string(), received: z.number().int(), failed: z.number().int() })),
  workerSeenAt: z.string().nullable(),
  connections: z.array(connection),
  setup: z.object({ connected: z.boolean(), firstEvent: z.boolean() }),
});
export type Overview = z.infer<typeof overview>;

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

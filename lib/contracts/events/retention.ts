import * as z from "zod/mini";

const MAX_DAYS = 3650;

/** `GET /api/v1/retention`: how long the workspace keeps its events. */
export const retention = z.object({
  /** Every event is kept for at least this many days. */
  days: z.int(),
  /** Events received before this moment have gone, or go with the next round. ISO 8601. */
  goneBefore: z.string(),
  /** When the oldest event that is still there was received; null when there is none. */
  oldestReceivedAt: z.nullable(z.string()),
});
export type Retention = z.infer<typeof retention>;

/** Days for which events may be kept. */
export const retentionDays = z.int().check(z.minimum(7), z.maximum(MAX_DAYS));

export const retentionBody = z.object({ days: retentionDays });

/**
 * Before which moment a policy lets go: the first of a month, UTC, because
 * events leave by the calendar month, at most a month after their days are over.
 */
export function goneBefore(days: number, now: Date): Date {
  const reached = new Date(now.getTime() - days * 86_400_000);
  return new Date(Date.UTC(reached.getUTCFullYear(), reached.getUTCMonth(), 1));
}

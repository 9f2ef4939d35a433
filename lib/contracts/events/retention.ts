import * as z from "zod/mini";

const MAX_DAYS = 3650;

export const retention = z.object({
  days: z.int(),
  /** Events received before this have gone, or go with the next round. */
  goneBefore: z.string(),
  oldestReceivedAt: z.nullable(z.string()),
});
export type Retention = z.infer<typeof retention>;

export const retentionDays = z.int().check(z.minimum(7), z.maximum(MAX_DAYS));

export const retentionBody = z.object({ days: retentionDays });

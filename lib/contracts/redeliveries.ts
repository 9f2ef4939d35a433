import { z } from "zod";
import { eventFilter } from "./events.ts";

/** `POST /api/v1/redeliveries`. The set is frozen when it is asked for. */
export const redeliveriesBody = z.object({
  filter: eventFilter.strict(),
  name: z.string().trim().min(1).max(120).optional(),
  dryRun: z.boolean().default(false),
});

/** `GET /api/v1/redeliveries/{id}`: how far it has come. `done` once nothing waits any more. */
export const redeliveryProgress = z.object({
  id: z.string(),
  state: z.enum(["running", "done", "aborted"]),
  total: z.number().int(),
  waiting: z.number().int(),
  applied: z.number().int(),
  failed: z.number().int(),
});
export type RedeliveryProgress = z.infer<typeof redeliveryProgress>;

/** `POST /api/v1/redeliveries`: `id` is null for a dry run and when nothing matched. */
export const redeliveriesAccepted = z.object({ id: z.string().nullable(), total: z.number().int(), dryRun: z.boolean() });

import { z } from "zod";
import { eventFilter } from "./events.ts";

/** `POST /api/v1/redeliveries`. The set is frozen when it is asked for. */
export const redeliveriesBody = z.object({
  filter: eventFilter.strict(),
  name: z.string().trim().min(1).max(120).optional(),
  dryRun: z.boolean().default(false),
});

import * as z from "zod/mini";
import { idText, momentOrDay, text } from "../api/parameters.ts";
import { attemptOutcome } from "./deliveries.ts";

/** Without `waiting`: those will be sent anyway. */
export const retriedState = z.enum(["exhausted", "skipped", "cancelled", "delivered", "retrying"]);

/** Sends all matching deliveries again. `from` and `to`: when the event was received. `dryRun` only counts (200); else 202. */
export const deliveryRetriesBody = z.object({
  filter: z.strictObject({
    destination: z.optional(idText),
    state: z.array(retriedState).check(z.minLength(1, "Choose at least one state"), z.maxLength(5)),
    type: z.optional(z.array(text(200)).check(z.minLength(1), z.maxLength(50))),
    outcome: z.optional(z.array(attemptOutcome).check(z.minLength(1), z.maxLength(30))),
    from: z.optional(momentOrDay),
    to: z.optional(momentOrDay),
  }),
  dryRun: z._default(z.boolean(), false),
});
export type DeliveryRetriesBody = z.infer<typeof deliveryRetriesBody>;

export const retriesDryRun = z.object({
  deliveries: z.int(),
  destinations: z.array(z.object({ id: z.string(), name: z.string(), deliveries: z.int() })),
});
export type RetriesDryRun = z.infer<typeof retriesDryRun>;

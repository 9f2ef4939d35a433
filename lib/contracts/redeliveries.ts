import { z } from "zod";
import { eventFilter } from "./events.ts";
import { pageOf } from "./paging.ts";

/**
 * `POST /api/v1/redeliveries`: what matches a filter, or the events of these ids. The set is frozen when it is
 * asked for. `hold` waits for `…/{id}/start`; `dryRun` holds too, and tells what would happen.
 */
export const redeliveriesBody = z
  .object({
    filter: eventFilter.strict().optional(),
    eventIds: z.array(z.string().min(1).max(400)).min(1).max(1000).optional(),
    name: z.string().trim().min(1).max(120).optional(),
    hold: z.boolean().default(false),
    dryRun: z.boolean().default(false),
  })
  .refine(({ filter, eventIds }) => (filter === undefined) !== (eventIds === undefined), { error: "give either filter or eventIds" });
export type RedeliveriesBody = z.input<typeof redeliveriesBody>;

/** `POST /api/v1/redeliveries/{id}/start`: a name for the history, if it has none yet. */
export const redeliveryStart = z.object({ name: z.string().trim().min(1).max(120).optional() });

/**
 * `GET /api/v1/redeliveries/{id}`: how far it has come. `held`: frozen, not begun. `done` once nothing waits any
 * more. `left` was not tried yet: an aborted one goes on with it. `expired` left the log before it was tried.
 */
export const redeliveryProgress = z.object({
  id: z.string(),
  name: z.string().nullable(),
  state: z.enum(["held", "running", "done", "aborted"]),
  total: z.number().int(),
  waiting: z.number().int(),
  applied: z.number().int(),
  failed: z.number().int(),
  left: z.number().int(),
  expired: z.number().int(),
  /** What was asked for; null for a single event and for chosen ones. */
  filter: eventFilter.nullable(),
  requestedBy: z.string().nullable(),
  createdAt: z.string(),
});
export type RedeliveryProgress = z.infer<typeof redeliveryProgress>;
export const redeliveryPage = pageOf(redeliveryProgress);

/** A field that a re-delivery would set, or a reason why an event would do nothing. */
const dryRunSample = z.object({
  eventId: z.string(),
  type: z.string(),
  outcome: z.enum(["would_change", "applied_already", "stale", "no_view", "still_fails"]),
  /** Why it still fails. */
  reason: z.string().nullable(),
  changes: z.array(z.object({ kind: z.string(), resourceId: z.string(), field: z.string(), before: z.unknown(), after: z.unknown() })),
});
export type DryRunSample = z.infer<typeof dryRunSample>;

/**
 * What a re-delivery would do to the views as they are now. `appliedAlready`: what it says stands. `stale`: later
 * events have overtaken all that it says. `noView`: no view takes its type. The five add up to `total`.
 */
export const dryRunOutcome = z.object({
  total: z.number().int(),
  wouldChange: z.number().int(),
  appliedAlready: z.number().int(),
  stale: z.number().int(),
  noView: z.number().int(),
  stillFails: z.number().int(),
  /** A few of each kind. */
  samples: z.array(dryRunSample),
});
export type DryRunOutcome = z.infer<typeof dryRunOutcome>;

/** `POST /api/v1/redeliveries`: `id` is null when nothing matched; `outcome` is there after a dry run. */
export const redeliveriesAccepted = z.object({
  id: z.string().nullable(),
  total: z.number().int(),
  dryRun: z.boolean(),
  outcome: dryRunOutcome.optional(),
});

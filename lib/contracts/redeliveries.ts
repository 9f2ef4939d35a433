import * as z from "zod/mini";
import { eventFilter } from "./events.ts";
import { pageOf } from "./paging.ts";

/**
 * `POST /api/v1/redeliveries`: what matches a filter, or the events of these ids. The set is frozen when it is
 * asked for. `hold` waits for `…/{id}/start`; `dryRun` holds too, and tells what would happen.
 */
export const redeliveriesBody = z
  .object({
    filter: z.optional(z.strictObject(eventFilter.shape)),
    eventIds: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(400))).check(z.minLength(1), z.maxLength(1000))),
    name: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(120))),
    hold: z._default(z.boolean(), false),
    dryRun: z._default(z.boolean(), false),
  })
  .check(
    z.refine(({ filter, eventIds }) => (filter === undefined) !== (eventIds === undefined), { error: "give either filter or eventIds" }),
  );
export type RedeliveriesBody = z.input<typeof redeliveriesBody>;

/** `POST /api/v1/redeliveries/{id}/start`: a name for the history, if it has none yet. */
export const redeliveryStart = z.object({ name: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(120))) });

/**
 * `GET /api/v1/redeliveries/{id}`: how far it has come. `held`: frozen, not begun. `done` once nothing waits any
 * more. `left` was not tried yet: an aborted one goes on with it. `expired` left the log before it was tried.
 */
export const redeliveryProgress = z.object({
  id: z.string(),
  name: z.nullable(z.string()),
  state: z.enum(["held", "running", "done", "aborted"]),
  total: z.int(),
  waiting: z.int(),
  applied: z.int(),
  failed: z.int(),
  left: z.int(),
  expired: z.int(),
  /** What was asked for; null for a single event and for chosen ones. */
  filter: z.nullable(eventFilter),
  requestedBy: z.nullable(z.string()),
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
  reason: z.nullable(z.string()),
  changes: z.array(z.object({ kind: z.string(), resourceId: z.string(), field: z.string(), before: z.unknown(), after: z.unknown() })),
});
export type DryRunSample = z.infer<typeof dryRunSample>;

/**
 * What a re-delivery would do to the views as they are now. `appliedAlready`: what it says stands. `stale`: later
 * events have overtaken all that it says. `noView`: no view takes its type. The five add up to `total`.
 */
export const dryRunOutcome = z.object({
  total: z.int(),
  wouldChange: z.int(),
  appliedAlready: z.int(),
  stale: z.int(),
  noView: z.int(),
  stillFails: z.int(),
  /** A few of each kind. */
  samples: z.array(dryRunSample),
});
export type DryRunOutcome = z.infer<typeof dryRunOutcome>;

/** `POST /api/v1/redeliveries`: `id` is null when nothing matched; `outcome` is there after a dry run. */
export const redeliveriesAccepted = z.object({
  id: z.nullable(z.string()),
  total: z.int(),
  dryRun: z.boolean(),
  outcome: z.optional(dryRunOutcome),
});

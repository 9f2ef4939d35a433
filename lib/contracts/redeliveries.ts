import * as z from "zod/mini";
import { filterShape, nameText, pageOf, pageQuery, text } from "./api/parameters.ts";
import { eventFilter, eventSetFilter } from "./events/events.ts";
import { REDELIVERY_EVENT_FILTERS, REDELIVERY_OUTCOMES } from "./list-filters.ts";

/** The set is frozen on request. `destinations` also sends it there, even again. `hold` waits for `…/{id}/start`; `dryRun` holds too. */
export const redeliveriesBody = z
  .object({
    filter: z.optional(eventSetFilter),
    eventIds: z.optional(z.array(text(400).check(z.minLength(1))).check(z.minLength(1), z.maxLength(1000))),
    name: z.optional(nameText(120)),
    destinations: z._default(z.boolean(), false),
    hold: z._default(z.boolean(), false),
    dryRun: z._default(z.boolean(), false),
  })
  .check(
    z.refine(({ filter, eventIds }) => (filter === undefined) !== (eventIds === undefined), {
      error: "must have either filter or eventIds",
    }),
  );
export type RedeliveriesBody = z.input<typeof redeliveriesBody>;

export const redeliveryStart = z.object({ name: z.optional(nameText(120)), destinations: z.optional(z.boolean()) });

export const redeliverBody = z.object({ destinations: z._default(z.boolean(), false) });

/** `held`: frozen, not begun. `left`: not tried yet; an aborted one goes on with it. `expired`: left the log before it was tried. */
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
  filter: z.nullable(eventFilter),
  destinations: z.boolean(),
  /** Set for a single event that the log still has. */
  event: z.nullable(z.object({ id: z.string(), type: z.string(), title: z.string() })),
  requestedBy: z.nullable(z.string()),
  createdAt: z.string(),
});
export type RedeliveryProgress = z.infer<typeof redeliveryProgress>;
export const redeliveryPage = pageOf(redeliveryProgress);

export const redeliveryEvent = z.object({
  eventId: z.string(),
  type: z.string(),
  title: z.string(),
  receivedAt: z.string(),
  outcome: z.enum(REDELIVERY_OUTCOMES),
  failure: z.nullable(z.string()),
});
export type RedeliveryEvent = z.infer<typeof redeliveryEvent>;

export const redeliveryEventQuery = z.extend(pageQuery, filterShape(REDELIVERY_EVENT_FILTERS));
export const redeliveryEventPage = pageOf(redeliveryEvent);

const dryRunSample = z.object({
  eventId: z.string(),
  type: z.string(),
  outcome: z.enum(["would_change", "applied_already", "stale", "no_view", "still_fails"]),
  reason: z.nullable(z.string()),
  changes: z.array(z.object({ kind: z.string(), resourceId: z.string(), field: z.string(), before: z.unknown(), after: z.unknown() })),
});
export type DryRunSample = z.infer<typeof dryRunSample>;

/** `stale`: later events have replaced it. `untried`: the events before were too large. The six add up to `total`. */
export const dryRunOutcome = z.object({
  total: z.int(),
  wouldChange: z.int(),
  appliedAlready: z.int(),
  stale: z.int(),
  noView: z.int(),
  stillFails: z.int(),
  untried: z.int(),
  samples: z.array(dryRunSample),
});
export type DryRunOutcome = z.infer<typeof dryRunOutcome>;

/** `id` is null if nothing matched; `outcome` is set after a dry run. */
export const redeliveriesAccepted = z.object({
  id: z.nullable(z.string()),
  total: z.int(),
  dryRun: z.boolean(),
  outcome: z.optional(dryRunOutcome),
});

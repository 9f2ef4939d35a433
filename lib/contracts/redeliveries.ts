import * as z from "zod/mini";
import { filterShape } from "./api/filter-schema.ts";
import { pageOf, pageQuery } from "./api/paging.ts";
import { nameText, text } from "./api/parameters.ts";
import { eventFilter } from "./events/events.ts";
import { REDELIVERY_EVENT_FILTERS, REDELIVERY_OUTCOMES } from "./filters/redelivery-filters.ts";

/**
 * `POST /api/v1/redeliveries`: what matches a filter, or the events of these ids. The set is frozen when it is
 * asked for. `destinations` also sends the events to the destinations that they match, again where they were sent
 * before. `hold` waits for `…/{id}/start`; `dryRun` holds too, and answers what would happen.
 */
export const redeliveriesBody = z
  .object({
    filter: z.optional(z.strictObject(eventFilter.shape)),
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

/** `POST /api/v1/redeliveries/{id}/start`: what replaces what was asked for before. */
export const redeliveryStart = z.object({ name: z.optional(nameText(120)), destinations: z.optional(z.boolean()) });

/** `POST /api/v1/events/{id}/redeliver`: `destinations` also sends it to the destinations that it matches. */
export const redeliverBody = z.object({ destinations: z._default(z.boolean(), false) });

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
  /** The requested filter; null for a single event and for chosen ones. */
  filter: z.nullable(eventFilter),
  /** The events are also sent to the destinations that they match. */
  destinations: z.boolean(),
  /** The event, where it is a single one that the log still has. */
  event: z.nullable(z.object({ id: z.string(), type: z.string(), title: z.string() })),
  requestedBy: z.nullable(z.string()),
  createdAt: z.string(),
});
export type RedeliveryProgress = z.infer<typeof redeliveryProgress>;
export const redeliveryPage = pageOf(redeliveryProgress);

/** An event of a re-delivery and what came of it; those that left the log are only counted. */
export const redeliveryEvent = z.object({
  eventId: z.string(),
  type: z.string(),
  /** The type in words. */
  title: z.string(),
  receivedAt: z.string(),
  outcome: z.enum(REDELIVERY_OUTCOMES),
  /** Why it failed. */
  failure: z.nullable(z.string()),
});
export type RedeliveryEvent = z.infer<typeof redeliveryEvent>;

/** `GET /api/v1/redeliveries/{id}/events`, in the order of receipt. */
export const redeliveryEventQuery = z.extend(pageQuery, filterShape(REDELIVERY_EVENT_FILTERS));
export const redeliveryEventPage = pageOf(redeliveryEvent);

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
 * Effect that a re-delivery would have on the views as they are now. `appliedAlready`: all that it sets is current. `stale`: later
 * events have replaced all that it sets. `noView`: no view takes its type. `untried`: the events before it were so
 * large together that the dry run ended. The six add up to `total`.
 */
export const dryRunOutcome = z.object({
  total: z.int(),
  wouldChange: z.int(),
  appliedAlready: z.int(),
  stale: z.int(),
  noView: z.int(),
  stillFails: z.int(),
  untried: z.int(),
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

import * as z from "zod/mini";
import { filterShape } from "./api/filter-schema.ts";
import { pageOf, pageQuery } from "./api/paging.ts";
import { text } from "./api/parameters.ts";
import { MISSING_EVENT_FILTERS, MISSING_EVENT_RULES, MISSING_EVENT_STATES } from "./filters/missing-event-filters.ts";

export const missingEventRule = z.enum(MISSING_EVENT_RULES);
export type MissingEventRule = z.infer<typeof missingEventRule>;

const missingEventState = z.enum(MISSING_EVENT_STATES);
export type MissingEventState = z.infer<typeof missingEventState>;

/** Resource that a missing event is about. A connection and a source are ours, the others the platform's. */
export const missingEventResource = z.object({
  kind: z.enum(["task", "document", "run", "connection", "source"]),
  id: z.string(),
  /** Of the platform's records, where an event has named them; of sources and connections always. */
  name: z.optional(z.string()),
});
export type MissingEventResource = z.infer<typeof missingEventResource>;

/** An event that others lead one to expect and that has not been received. It may still arrive. */
export const missingEvent = z.object({
  id: z.string(),
  rule: missingEventRule,
  suspected: z.literal(true),
  state: missingEventState,
  resource: missingEventResource,
  /** The missing event, why that is suspected, and what to do: in words. */
  what: z.string(),
  why: z.string(),
  fix: z.string(),
  /** The events that imply it. */
  evidence: z.array(z.string()),
  /** When the platform made what raises it. */
  since: z.string(),
  openedAt: z.nullable(z.string()),
  closedAt: z.nullable(z.string()),
  dismissedAt: z.nullable(z.string()),
  dismissedBy: z.nullable(z.string()),
  snoozedBy: z.nullable(z.string()),
  /** Of a snoozed one; null: until it happens again. */
  snoozedUntil: z.nullable(z.string()),
});
export type MissingEvent = z.infer<typeof missingEvent>;

/** `GET /api/v1/missing-events`: the open ones unless it names another state. */
const shape = filterShape(MISSING_EVENT_FILTERS);
export const missingEventQuery = z.extend(pageQuery, { ...shape, state: z._default(missingEventState, "open") });
export const missingEventPage = pageOf(missingEvent);

/** `GET /api/v1/missing-events/rules`: the open ones by rule, every one counted; the most frequent first. */
export const missingEventRules = z.object({
  total: z.int(),
  data: z.array(z.object({ rule: missingEventRule, what: z.string(), count: z.int(), firstAt: z.string(), lastAt: z.string() })),
});
export type MissingEventRules = z.infer<typeof missingEventRules>;

const someIds = z.optional(z.array(text(100)).check(z.minLength(1), z.maxLength(200)));
const openFilter = z.strictObject({
  ids: someIds,
  rule: z.optional(missingEventRule),
  source: shape.source,
  resource: z.optional(text(600)),
});
/** Which open missing events: these, those of a rule, of a source, of a resource. An empty filter stands for all. */
export type OpenMissingEventFilter = z.infer<typeof openFilter>;

/** `POST /api/v1/missing-events/dismissals`: they stay dismissed until what was missing arrives. */
export const missingEventDismissalBody = z.object({ filter: openFilter });

/** Time to snooze: an hour, a day, or until a new event triggers the same rule again. */
export const snoozeTime = z.enum(["1h", "1d", "recurrence"]);
export type SnoozeTime = z.infer<typeof snoozeTime>;
/** `POST /api/v1/missing-events/snoozes` */
export const missingEventSnoozeBody = z.object({ filter: openFilter, for: snoozeTime });

/** Number set aside, and the ID that undoes it; null when none was. */
export const missingEventsSetAside = z.object({ count: z.int(), dismissal: z.nullable(z.string()) });
export type MissingEventsSetAside = z.infer<typeof missingEventsSetAside>;

/** `POST /api/v1/missing-events/restorations`: takes back what was dismissed or snoozed, together or one by one. */
export const missingEventRestorationBody = z.object({
  filter: z
    .strictObject({ ids: someIds, dismissal: z.optional(text(100)) })
    .check(z.refine(({ ids, dismissal }) => ids !== undefined || dismissal !== undefined, { error: "filter: requires ids or dismissal" })),
});
export type MissingEventRestorationFilter = z.infer<typeof missingEventRestorationBody>["filter"];
export const missingEventsRestored = z.object({ restored: z.int() });

import * as z from "zod/mini";
import { filteredPageOf, filterShape, pageQuery, restorationFilter, setFilterShape, someIds } from "./api/parameters.ts";
import { MISSING_EVENT_FILTERS, MISSING_EVENT_RULES, MISSING_EVENT_STATES } from "./missing-event-filters.ts";

export const missingEventRule = z.enum(MISSING_EVENT_RULES);
export type MissingEventRule = z.infer<typeof missingEventRule>;

const missingEventState = z.enum(MISSING_EVENT_STATES);
export type MissingEventState = z.infer<typeof missingEventState>;

/** Connections and sources are ours, the others the platform's. */
export const RESOURCE_KINDS = ["task", "document", "run", "connection", "source"] as const;

export const missingEventResource = z.object({
  kind: z.enum(RESOURCE_KINDS),
  id: z.string(),
  name: z.optional(z.string()),
});
export type MissingEventResource = z.infer<typeof missingEventResource>;

/** An event that others imply and that was not received. It may still arrive. */
export const missingEvent = z.object({
  id: z.string(),
  rule: missingEventRule,
  suspected: z.literal(true),
  state: missingEventState,
  resource: missingEventResource,
  what: z.string(),
  why: z.string(),
  fix: z.string(),
  evidence: z.array(z.string()),
  /** The platform's time of the event that implies it. */
  since: z.string(),
  openedAt: z.nullable(z.string()),
  closedAt: z.nullable(z.string()),
  dismissedAt: z.nullable(z.string()),
  dismissedBy: z.nullable(z.string()),
  snoozedBy: z.nullable(z.string()),
  snoozedUntil: z.nullable(z.string()),
});
export type MissingEvent = z.infer<typeof missingEvent>;

export const missingEventQuery = z.extend(pageQuery, {
  ...filterShape(MISSING_EVENT_FILTERS),
  state: z._default(missingEventState, "open"),
});
export const missingEventPage = filteredPageOf(missingEvent);

export const missingEventRules = z.object({
  total: z.int(),
  data: z.array(z.object({ rule: missingEventRule, what: z.string(), count: z.int(), firstAt: z.string(), lastAt: z.string() })),
});
export type MissingEventRules = z.infer<typeof missingEventRules>;

const { rule, source, resource } = setFilterShape(MISSING_EVENT_FILTERS);
const openFilter = z.strictObject({ ids: someIds, rule, source, resource });
/** An empty filter selects all. */
export type OpenMissingEventFilter = z.infer<typeof openFilter>;

export const missingEventDismissalBody = z.object({ filter: openFilter });

/** recurrence: until a new event triggers the same rule again. */
export const snoozeTime = z.enum(["1h", "1d", "recurrence"]);
export type SnoozeTime = z.infer<typeof snoozeTime>;
export const missingEventSnoozeBody = z.object({ filter: openFilter, for: snoozeTime });

/** `dismissal` is the ID that undoes it; null if there was none. */
export const missingEventsSetAside = z.object({ count: z.int(), dismissal: z.nullable(z.string()) });
export type MissingEventsSetAside = z.infer<typeof missingEventsSetAside>;

export const missingEventRestorationBody = z.object({ filter: restorationFilter });
export type MissingEventRestorationFilter = z.infer<typeof missingEventRestorationBody>["filter"];
export const missingEventsRestored = z.object({ restored: z.int() });

import type { FilterOf, Filters } from "../api/filters.ts";

export const REDELIVERY_OUTCOMES = ["applied", "failed", "waiting", "not_tried"] as const;

/** A new filter is an entry here and its SQL in lib/processing/redelivery/result-store.ts. */
export const REDELIVERY_EVENT_FILTERS = {
  outcome: {
    value: { kind: "choice", values: REDELIVERY_OUTCOMES },
    label: "Outcome",
    choices: { applied: "Applied", failed: "Failed", waiting: "Waiting", not_tried: "Not attempted" },
    input: { as: "buttons", any: "All" },
  },
} as const satisfies Filters;
export type RedeliveryEventFilter = FilterOf<typeof REDELIVERY_EVENT_FILTERS>;

import type { FilterOf, Filters } from "./api/filters.ts";
import type { DeliveryState } from "./forwarding/deliveries.ts";

/** A new filter is an entry here and its SQL in lib/views/view-list-store.ts. Those without an input are set by links and show as chips. */
export const VIEW_FILTERS = {
  q: { value: { kind: "text", max: 200 }, label: "Name or ID", input: { as: "text", placeholder: "Name or ID" } },
  state: { value: { kind: "text", max: 100 }, label: "State", input: { as: "select", of: "states", any: "Any state" } },
  failed: { value: { kind: "flag" }, label: "Failed only", input: { as: "switch", value: true } },
  parent: { value: { kind: "text", max: 600 }, label: "Parent" },
  stage: { value: { kind: "text", max: 200 }, label: "Stage" },
  assignee: { value: { kind: "text", max: 400 }, label: "Assignee" },
  active: { value: { kind: "flag" }, label: "Progress", choices: { true: "Active", false: "Completed" } },
  source: { value: { kind: "text", max: 63 }, label: "Source", input: { as: "select", of: "sources", any: "All sources" } },
} as const satisfies Filters;
export type ViewFilter = FilterOf<typeof VIEW_FILTERS>;

/** Documents of all sources: without `source` a list of documents has the platform's alone. */
export const EVERY_SOURCE = "*";

/** The page shows the documents of all sources, unless one is chosen. */
export const shownFilter = (kind: string, filter: ViewFilter): ViewFilter =>
  kind === "document" && filter.source === undefined ? { ...filter, source: EVERY_SOURCE } : filter;

const DELIVERY_GROUPS = ["pending", "delivered", "exhausted", "skipped"] as const;
export type DeliveryGroup = (typeof DELIVERY_GROUPS)[number];

export const DELIVERY_FILTERS = {
  state: {
    value: { kind: "choice", values: DELIVERY_GROUPS },
    label: "State",
    choices: { pending: "Pending", delivered: "Delivered", exhausted: "Exhausted", skipped: "Skipped or cancelled" },
    input: { as: "buttons", any: "All" },
  },
} as const satisfies Filters;

export const STATES_OF: Record<DeliveryGroup, DeliveryState[]> = {
  pending: ["waiting", "retrying", "held"],
  delivered: ["delivered"],
  exhausted: ["exhausted"],
  skipped: ["skipped", "cancelled"],
};

/** Events that one re-delivery takes. */
export const MAX_REDELIVERED = 10_000;

export const REDELIVERY_OUTCOMES = ["applied", "failed", "waiting", "not_tried"] as const;

/** A new filter is an entry here and its SQL in lib/processing/redelivery-store.ts. */
export const REDELIVERY_EVENT_FILTERS = {
  outcome: {
    value: { kind: "choice", values: REDELIVERY_OUTCOMES },
    label: "Outcome",
    choices: { applied: "Applied", failed: "Failed", waiting: "Waiting", not_tried: "Not attempted" },
    input: { as: "buttons", any: "All" },
  },
} as const satisfies Filters;
export type RedeliveryEventFilter = FilterOf<typeof REDELIVERY_EVENT_FILTERS>;

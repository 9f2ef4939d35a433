import type { Filters } from "../api/filters.ts";
import type { DeliveryState } from "../forwarding/deliveries.ts";

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

/** Days after the workspace's retention for which an unsent delivery keeps its event; then it is given up. */
export const HELD_DAYS = 30;

export const DELIVERY_STATES = ["waiting", "retrying", "held", "delivered", "exhausted", "skipped", "cancelled"] as const;

export const OPEN_DELIVERY_STATES = ["waiting", "retrying", "held"] as const satisfies (typeof DELIVERY_STATES)[number][];

export const isOpenDelivery = (state: (typeof DELIVERY_STATES)[number]): boolean => OPEN_DELIVERY_STATES.some((open) => open === state);

/** Without schemas: the event list is drawn before those load. */
export const EVENT_STATES = ["pending", "processed", "failed", "unrecognised"] as const;
export const EVENT_PERIODS = ["1h", "24h", "7d", "30d"] as const;

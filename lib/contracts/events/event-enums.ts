/** What an event may be and what is asked for, as words alone: the event list is drawn without its schemas. */
export const EVENT_STATES = ["pending", "processed", "failed", "unrecognised"] as const;
export const EVENT_PERIODS = ["1h", "24h", "7d", "30d"] as const;

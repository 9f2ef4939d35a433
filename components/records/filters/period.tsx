import type { EventPeriod } from "#lib/contracts/events/events";

/** Range that ends now and moves on (`period`), or one between two times (ISO 8601). */
export type Period = { period?: EventPeriod | undefined; from?: string | undefined; to?: string | undefined };

export const PERIOD_WORDS: Record<EventPeriod, string> = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};

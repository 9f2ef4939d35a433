import type { EventSummary } from "#lib/contracts/events";

/** What an integration's events say of its health: the state that each begins. */
const BEGINS: Record<string, Health> = {
  "integration.connected": "connected",
  "integration.token_refresh": "connected",
  "integration.error": "error",
  "integration.disconnected": "disconnected",
};

export type Health = "connected" | "error" | "disconnected";

/** A span of time in one state: from and until in Unix milliseconds. */
export type HealthSpan = { state: Health; from: number; until: number };

/** Spans of equal health, oldest first, from the first event that tells of it until now. */
export function healthSpans(events: EventSummary[], now: number): HealthSpan[] {
  const told = events
    .flatMap(({ type, created }) => {
      const state = Object.hasOwn(BEGINS, type) ? BEGINS[type] : undefined;
      return state ? [{ state, from: Date.parse(created) }] : [];
    })
    .filter(({ from }) => from <= now)
    .sort((a, b) => a.from - b.from);
  const changes = told.filter(({ state }, index) => index === 0 || told[index - 1]?.state !== state);
  return changes.map((change, index) => ({ ...change, until: changes[index + 1]?.from ?? now }));
}

/** The share of the time that was spent well, 0 to 1; null without any time. */
export function healthyShare(spans: HealthSpan[]): number | null {
  const length = (all: HealthSpan[]) => all.reduce((sum, { from, until }) => sum + until - from, 0);
  const whole = length(spans);
  return whole === 0 ? null : length(spans.filter(({ state }) => state === "connected")) / whole;
}

import type { EventSummary } from "#lib/contracts/events/events";

const STATE_BY_TYPE: Record<string, Health> = {
  "integration.connected": "connected",
  "integration.token_refresh": "connected",
  "integration.error": "error",
  "integration.disconnected": "disconnected",
};

export type Health = "connected" | "error" | "disconnected";

/** `from` and `until` are in Unix milliseconds. */
export type HealthSpan = { state: Health; from: number; until: number };

/** Returns spans of equal health, oldest first, from the first event that sets it until now. */
export function healthSpans(events: EventSummary[], now: number): HealthSpan[] {
  const states = events
    .flatMap(({ type, created }) => {
      const state = Object.hasOwn(STATE_BY_TYPE, type) ? STATE_BY_TYPE[type] : undefined;
      return state ? [{ state, from: Date.parse(created) }] : [];
    })
    .filter(({ from }) => from <= now)
    .sort((a, b) => a.from - b.from);
  const changes = states.filter(({ state }, index) => index === 0 || states[index - 1]?.state !== state);
  return changes.map((change, index) => ({ ...change, until: changes[index + 1]?.from ?? now }));
}

/** Returns the share of the time spent connected, 0 to 1; null if the spans have no length. */
export function healthyShare(spans: HealthSpan[]): number | null {
  const length = (all: HealthSpan[]) => all.reduce((sum, { from, until }) => sum + until - from, 0);
  const whole = length(spans);
  return whole === 0 ? null : length(spans.filter(({ state }) => state === "connected")) / whole;
}

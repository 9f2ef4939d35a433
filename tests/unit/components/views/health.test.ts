import { describe, expect, it } from "vitest";
import { healthSpans, healthyShare } from "#components/views/detail/kind-sections";
import type { EventSummary } from "#lib/contracts/events/events";

const T = Date.parse("2026-11-21T08:00:00Z");
const HOUR = 3_600_000;
const event = (type: string, hours: number) => ({ type, created: new Date(T + hours * HOUR).toISOString() }) as EventSummary;

describe("an integration's health over time", () => {
  it("is a span for each change of state, whatever the order of the events, until now", () => {
    const events = [
      event("integration.disconnected", 4),
      event("integration.token_refresh", 1),
      event("integration.connected", 0),
      event("integration.error", 2),
      event("document.uploaded", 3),
    ];
    const spans = healthSpans(events, T + 5 * HOUR);
    expect(spans.map(({ state, from, until }) => [state, (from - T) / HOUR, (until - T) / HOUR])).toEqual([
      ["connected", 0, 2],
      ["error", 2, 4],
      ["disconnected", 4, 5],
    ]);
    expect(healthyShare(spans)).toBeCloseTo(0.4);
  });

  it("knows nothing before the first event that tells of it", () => {
    expect(healthSpans([event("integration.connected", 2)], T)).toEqual([]);
    expect(healthyShare([])).toBeNull();
  });
});

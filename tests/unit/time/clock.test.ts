import { expect, test } from "vitest";
import { steadyClock, timeSince } from "#lib/time/clock";

const HOUR_MS = 3_600_000;

/** Both clocks, of which each can be moved alone. */
function makeClock() {
  const shown = { now: 1_800_000_000_000, elapsed: 500 };
  return { shown, clock: { now: () => shown.now, elapsed: () => shown.elapsed } };
}

test("a steady clock begins with the time, goes on with it, and is not set back", () => {
  const { shown, clock } = makeClock();
  const now = steadyClock(clock);
  expect(now()).toBe(1_800_000_000_000);
  shown.elapsed += 20;
  shown.now += 20 - 3 * HOUR_MS;
  expect(now()).toBe(1_800_000_000_020);
});

test("a time that something is relied on for is neither shortened by a clock that is set back nor by one that stood still", () => {
  const { shown, clock } = makeClock();
  const passed = timeSince(clock);
  shown.elapsed += 20;
  shown.now += 20 - 3 * HOUR_MS;
  expect(passed()).toBe(20);
  shown.now += 6 * HOUR_MS;
  expect(passed()).toBe(3 * HOUR_MS + 20);
});

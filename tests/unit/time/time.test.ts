import { stat } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { expect, it, test } from "vitest";
import { steadyClock, timeSince } from "#lib/time/clock";
import { inTime } from "#lib/time/waits";
import { holdEventLoop } from "#tests/support/hold-event-loop";

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

it("gives up after its time", async () => {
  expect(await inTime(new Promise(() => undefined), 20, () => "late")).toBe("late");
});

it("takes a result that arrived in time, though this process was too busy to read it", async () => {
  await setImmediate(); // timers come next
  const found = inTime(stat(import.meta.filename), 20, () => "late");
  holdEventLoop(500);
  expect(await found).not.toBe("late");
});

it("throws what the work throws in time, and hears of nothing that it throws later", async () => {
  await expect(inTime(Promise.reject(new Error("broken")), 20, () => "late")).rejects.toThrow("broken");
  const { promise, reject } = Promise.withResolvers<string>();
  expect(await inTime(promise, 20, () => "late")).toBe("late");
  reject(new Error("too late"));
});

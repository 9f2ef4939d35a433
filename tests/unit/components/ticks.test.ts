import { expect, test } from "vitest";
import { durationTicksTo, ticksTo } from "#components/ui/charts/ticks";

test("an axis has 3 to 5 round ticks from 0 to at least the highest value", () => {
  for (const top of [1, 2, 3, 5, 7, 9, 10, 11, 40, 41, 99, 101, 999, 1234, 45_000, 7_654_321]) {
    const ticks = ticksTo(top);
    expect(ticks[0]).toBe(0);
    expect(ticks.length, `${top}: ${ticks}`).toBeGreaterThanOrEqual(3);
    expect(ticks.length, `${top}: ${ticks}`).toBeLessThanOrEqual(5);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(top);
    for (const tick of ticks) expect(Number.isInteger(tick)).toBe(true);
  }
  expect(ticksTo(9)).toEqual([0, 5, 10]);
  expect(ticksTo(70)).toEqual([0, 20, 40, 60, 80]);
});

test.each([
  [40, [0, 10, 20, 30, 40]],
  [900, [0, 250, 500, 750, 1000]],
  [45_000, [0, 15_000, 30_000, 45_000]],
  [3_500_000, [0, 900_000, 1_800_000, 2_700_000, 3_600_000]],
  [172_800_000, [0, 86_400_000, 172_800_000]],
  [1400, [0, 1000, 2000]],
])("the ticks of durations up to %d ms are whole in their unit", (top, ticks) => {
  expect(durationTicksTo(top)).toEqual(ticks);
});

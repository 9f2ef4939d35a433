import { expect, test } from "vitest";
import { durationTicksTo, ticksTo } from "#components/ui/charts/chart-data";
import { marksOfBar, placeMarks, timeTicks } from "#components/ui/charts/chart-plot";

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

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const FROM = Date.parse("2026-11-23T15:07:00Z");

test.each([
  [HOUR, ["15:10", "15:20", "15:30", "15:40", "15:50", "16:00"]],
  [DAY, ["16:00", "20:00", "24 Nov", "04:00", "08:00", "12:00"]],
  [7 * DAY, ["24 Nov", "25 Nov", "26 Nov", "27 Nov", "28 Nov", "29 Nov", "30 Nov"]],
  [40_000, ["15:07:00", "15:07:10", "15:07:20", "15:07:30"]],
])("over %d ms the ticks are whole in their unit, the day in place of midnight", (lasts, labels) => {
  expect(timeTicks(FROM, lasts, "UTC").map(({ label }) => label)).toEqual(labels);
});

test("every period has 2 to 8 ticks within it", () => {
  for (let lasts = 10_000; lasts < 4000 * DAY; lasts *= 1.7) {
    const ticks = timeTicks(FROM, lasts, "UTC");
    expect(ticks.length, String(lasts)).toBeGreaterThanOrEqual(2);
    expect(ticks.length, String(lasts)).toBeLessThanOrEqual(8);
    for (const { at } of ticks) expect(at >= FROM && at < FROM + lasts).toBe(true);
  }
});

test("a mark is read with the bars in which it happened, one that lasts with all that it covers", () => {
  const bars = [0, 1, 2, 3].map((hour) => ({ label: `${hour}`, values: [1], at: new Date(FROM + hour * HOUR).toISOString() }));
  const at = (hours: number) => new Date(FROM + hours * HOUR).toISOString();
  const placed = placeMarks(
    [
      { at: at(1.5), until: null, label: "rotated" },
      { at: at(-2), until: at(0.5), label: "away" },
      { at: at(-3), until: null, label: "before" },
      { at: at(4.5), until: null, label: "after" },
    ],
    bars,
  );
  expect(placed.map(({ label }) => label)).toEqual(["rotated", "away"]);
  const read = bars.map((_, index) => marksOfBar(placed, index, bars.length).map(({ label }) => label));
  expect(read).toEqual([["away"], ["rotated"], [], []]);
});

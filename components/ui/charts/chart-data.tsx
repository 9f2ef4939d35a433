import type { ReactNode } from "react";

export type ChartHue = "accent" | "fine" | "working" | "attention" | "failed";
/** `apart`: drawn once more below the others at its own scale, if it would be too thin to read. `striped`: next to another of its hue. */
export type ChartSeries = { label: string; hue: ChartHue; apart?: boolean; striped?: boolean };
/** `index`: its position in a bar's values. */
export type ShownSeries = ChartSeries & { index: number };
/** `at` (ISO 8601): when it begins; also tells bars with the same label apart. A null value was not measured. */
export type ChartBar = { label: string; values: (number | null)[]; at?: string };
export type ChartMark = { at: string; until: string | null; label: string };

export const CHART_HEIGHT = 96;

export type BarChartProps = {
  /** The chart's content in a sentence: the image's text alternative. */
  label: string;
  series: ChartSeries[];
  /** Oldest first, without gaps; `values` in the order of `series`, stacked from below. */
  bars: ChartBar[];
  marks?: ChartMark[];
  words?: (value: number) => string;
  /** Values of the axis for the highest bar; by default round numbers. */
  ticksFor?: (top: number) => number[];
  /** Lines in place of stacked bars: a p95 above its p50. */
  lines?: boolean;
  height?: number;
  legend?: boolean;
  caption?: ReactNode;
  /** Shown below the first and last bar when bars have no times. */
  ends?: [first: ReactNode, last: ReactNode];
  /** Called with the first and last bar of a drag, both included. */
  onBrush?: (first: number, last: number) => void;
  className?: string;
};

export const keyOfBar = ({ at, label }: ChartBar): string => at ?? label;

/** Returns when the first bar begins and the length of all bars, in milliseconds; null if they have no times. */
export function timesOf(bars: ChartBar[]): { from: number; lasts: number } | null {
  const [first, second] = bars;
  if (first?.at === undefined || second?.at === undefined) return null;
  const from = Date.parse(first.at);
  return { from, lasts: (Date.parse(second.at) - from) * bars.length };
}

const MAX_STEPS = 4;

/** Returns 3 to 5 round values of an axis from 0: 1, 2 or 5 times a power of ten. The last is not below `top`, a whole number. */
export function ticksTo(top: number): number[] {
  let step = 1;
  for (let at = 0; Math.ceil(top / step) > MAX_STEPS; at++) step *= at % 3 === 1 ? 2.5 : 2;
  const steps = Math.max(2, Math.ceil(top / step));
  return Array.from({ length: steps + 1 }, (_, at) => at * step);
}
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Milliseconds that read as whole units. */
const DURATION_STEPS = [
  ...[1, 5, 10, 50, 100, 250, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 5, 10, 30, 90, 365].map((n) => n * DAY),
];

/** Returns 3 to 5 durations in milliseconds, whole in seconds, minutes, hours or days. */
export function durationTicksTo(top: number): number[] {
  const step = DURATION_STEPS.find((each) => Math.ceil(top / each) <= MAX_STEPS && isWhole(each, top)) ?? Math.ceil(top / MAX_STEPS);
  const steps = Math.max(2, Math.ceil(top / step));
  return Array.from({ length: steps + 1 }, (_, at) => at * step);
}

/** True if the steps up to `top` read as different numbers: 1.5 s would be "1 s" again. */
const isWhole = (step: number, top: number): boolean => [SECOND, MINUTE, HOUR, DAY].every((unit) => step >= unit || top <= unit);

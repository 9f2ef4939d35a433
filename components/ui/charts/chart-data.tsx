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

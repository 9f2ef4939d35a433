import type { ReactNode } from "react";

export type ChartHue = "accent" | "fine" | "working" | "attention" | "failed";
/** `apart`: drawn once more below the others at a scale of its own, where it would be too thin to read beside them. */
export type ChartSeries = { label: string; hue: ChartHue; apart?: boolean };
/** A series that is shown, and where its values stand in a bar's. */
export type ShownSeries = ChartSeries & { index: number };
/** `at` (ISO 8601) is when it begins, and tells bars apart that have the same label. A value is null where nothing was measured. */
export type ChartBar = { label: string; values: (number | null)[]; at?: string };
/** Something that happened at a moment, or until another one (ISO 8601), in words. */
export type ChartMark = { at: string; until: string | null; label: string };

/** Of the plot, where none is given. Pixels. */
export const CHART_HEIGHT = 96;

export type BarChartProps = {
  /** The chart's content in a sentence: the image's text alternative. */
  label: string;
  series: ChartSeries[];
  /** Oldest first, equally long; `values` in the order of `series`, stacked from below. */
  bars: ChartBar[];
  marks?: ChartMark[];
  /** Formats a value; by default a number with thousands separators. */
  words?: (value: number) => string;
  /** The axis' values for the highest one; by default round numbers. */
  ticksFor?: (top: number) => number[];
  /** Lines in place of stacked bars: a p95 above its p50. */
  lines?: boolean;
  height?: number;
  legend?: boolean;
  /** Below, at the left. */
  caption?: ReactNode;
  /** Below the first and last bar, where bars are no times. */
  ends?: [first: ReactNode, last: ReactNode];
  /** Called with the bars (both included) over which somebody dragged. */
  onBrush?: (first: number, last: number) => void;
  className?: string;
};

export const keyOfBar = ({ at, label }: ChartBar): string => at ?? label;

/** When the bars begin and how long they all last together, in milliseconds; null where they are no times. */
export function timesOf(bars: ChartBar[]): { from: number; lasts: number } | null {
  const [first, second] = bars;
  if (first?.at === undefined || second?.at === undefined) return null;
  const from = Date.parse(first.at);
  return { from, lasts: (Date.parse(second.at) - from) * bars.length };
}

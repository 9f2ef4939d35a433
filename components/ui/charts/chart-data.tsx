import type { ReactNode } from "react";

export type ChartHue = "accent" | "fine" | "working" | "attention" | "failed";
export type ChartSeries = { label: string; hue: ChartHue };
/** `at` (ISO 8601) tells bars apart that have the same label; the label does otherwise. */
export type ChartBar = { label: string; values: number[]; at?: string };

export type BarChartProps = {
  /** The chart's content in a sentence: the image's text alternative. */
  label: string;
  series: ChartSeries[];
  /** Oldest first; `values` in the order of `series`, stacked from below. */
  bars: ChartBar[];
  /** Formats a value; by default a number with thousands separators. */
  words?: (value: number) => string;
  /** The axis' values for the highest one; by default round numbers. */
  ticksFor?: (top: number) => number[];
  /** Each value from the bottom, the highest behind: a p95 behind its p50. */
  overlaid?: boolean;
  height?: number;
  legend?: boolean;
  /** Below the middle in the legend's place; the values of a bar replace it. */
  caption?: ReactNode;
  /** Below the first and last bar, where their own labels are too long. */
  ends?: [first: ReactNode, last: ReactNode];
  /** Called with the bars (both included) over which somebody dragged. */
  onBrush?: (first: number, last: number) => void;
  className?: string;
};

export const keyOfBar = ({ at, label }: ChartBar): string => at ?? label;

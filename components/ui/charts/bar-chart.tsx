"use client";

import { lazyComponent } from "#components/ui/lists/lazy-component";
import { Skeleton } from "#components/ui/primitives/skeleton";
import { type BarChartProps, CHART_HEIGHT } from "./chart-data.tsx";

const ChartFigure = lazyComponent(() => import("./chart-figure.tsx").then((module) => module.ChartFigure), true);

/** Heights of the parts around the plot: the values above it, the times and the legend below it, the table. Pixels. */
const ROWS = { values: 16, times: 20, legend: 24, table: 18, gap: 8 };

type Space = { height?: number | undefined; legend?: boolean; times?: boolean };

/** Returns how high the whole chart is. Pixels. */
function heightOf({ height = CHART_HEIGHT, legend = true, times = true }: Space): number {
  const { values, gap, table } = ROWS;
  return values + gap + height + (times ? ROWS.times : 0) + (legend ? gap + ROWS.legend : 0) + gap + table;
}

/** Bars or lines over time. Its code is loaded after the page; until then its space is kept, so that nothing moves when it appears. */
export function BarChart(props: BarChartProps) {
  const legend = props.legend !== false || props.caption !== undefined || props.ends !== undefined;
  const times = props.bars[0]?.at !== undefined;
  return (
    <div className="min-w-0" style={{ minHeight: heightOf({ height: props.height, legend, times }) }}>
      <ChartFigure {...props} />
    </div>
  );
}

/** The space of a chart whose numbers are being loaded. */
export const ChartSkeleton = (space: Space) => (
  <div style={{ height: heightOf(space) }}>
    <Skeleton className="h-full w-full" />
  </div>
);

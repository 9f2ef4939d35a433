import { lazyComponent } from "#components/ui/feedback/lazy-component";
import { Skeleton } from "#components/ui/layout/content-states";
import { type BarChartProps, CHART_HEIGHT } from "./chart-data.tsx";

const ChartFigure = lazyComponent(() => import("./chart-figure.tsx").then((module) => module.ChartFigure), true);

/** Heights around the plot, in pixels: values above it, times and legend below it, the table. */
const ROWS = { values: 16, times: 20, legend: 24, table: 18, gap: 8 };

type Space = { height?: number | undefined; legend?: boolean; times?: boolean };

function heightOf({ height = CHART_HEIGHT, legend = true, times = true }: Space): number {
  const { values, gap, table } = ROWS;
  return values + gap + height + (times ? ROWS.times : 0) + (legend ? gap + ROWS.legend : 0) + gap + table;
}

/** Loads the chart's code after the page and keeps its space until then, so that nothing moves when it appears. */
export function BarChart(props: BarChartProps) {
  const legend = props.legend !== false || props.caption !== undefined || props.ends !== undefined;
  const times = props.bars[0]?.at !== undefined;
  return (
    <div className="min-w-0" style={{ minHeight: heightOf({ height: props.height, legend, times }) }}>
      <ChartFigure {...props} />
    </div>
  );
}

/** Says in the chart's place that there is nothing to draw; what follows stays where it was. */
export const NoBars = ({ children, ...space }: Space & { children: string }) => (
  <div className="flex items-center justify-center border-line border-b text-13 text-muted" style={{ height: heightOf(space) }}>
    <p aria-live="polite">{children}</p>
  </div>
);

export const ChartSkeleton = (space: Space) => (
  <div style={{ height: heightOf(space) }}>
    <Skeleton className="h-full w-full" />
  </div>
);

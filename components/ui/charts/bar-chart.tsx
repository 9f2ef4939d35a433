"use client";

import { type PointerEvent, useState } from "react";
import { formatNumber } from "#components/ui/lists/count";
import { cn } from "#components/ui/primitives/cn";
import type { BarChartProps, ChartBar, ChartSeries } from "./chart-data.tsx";
import { ChartAxis, ChartLegend, ChartPlot, type Span } from "./chart-plot.tsx";
import { ChartTable } from "./chart-table.tsx";
import { ticksTo } from "./ticks.tsx";

/**
 * Bars with 3 to 5 ticks and their lines; the numbers of the bar under the pointer, or of the one that the arrow keys
 * are on, and all of them as a table.
 */
export function BarChart(props: BarChartProps) {
  const { label, series, bars, words = formatNumber, ticksFor = ticksTo, overlaid = false, height = 96, legend = true } = props;
  const { marked, handlers, read, leave } = useMarkedBars(bars.length, props.onBrush);
  const tops = bars.map(({ values }) => (overlaid ? Math.max(0, ...values) : values.reduce((sum, value) => sum + value, 0)));
  const ticks = ticksFor(Math.max(1, ...tops));
  return (
    <figure className={cn("flex flex-col gap-2", props.className)}>
      <p className="h-4 truncate text-right text-12 tabular-nums" data-chart-values>
        {marked ? markedWords(marked, bars, series, words) : null}
      </p>
      <div className="flex gap-2">
        <ChartAxis ticks={ticks} words={words} height={height} />
        <div
          className={cn(
            "relative min-w-0 flex-1 touch-pan-y select-none border-b border-line-strong",
            "has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-focus",
            props.onBrush && "cursor-crosshair",
          )}
          style={{ height }}
          {...handlers}
        >
          <ChartPlot {...{ label, series, bars, ticks, height, overlaid, marked }} />
          <BarReader label={label} bars={bars} valueWords={(bar) => barWords(bar, series, words)} onRead={read} onLeave={leave} />
        </div>
      </div>
      <figcaption className="flex flex-wrap justify-between gap-x-4 text-12 text-muted">
        <span>{props.ends ? props.ends[0] : bars[0]?.label}</span>
        {props.caption ?? (legend ? <ChartLegend series={series} /> : null)}
        <span>{props.ends ? props.ends[1] : bars.at(-1)?.label}</span>
      </figcaption>
      <ChartTable label={label} series={series} bars={bars} words={words} />
    </figure>
  );
}

/** The bar under the pointer, or those over which it drags. */
function useMarkedBars(count: number, onBrush: BarChartProps["onBrush"]) {
  const [marked, setMarked] = useState<Span | null>(null);
  const [dragging, setDragging] = useState(false);
  const barAt = ({ currentTarget, clientX }: PointerEvent<Element>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(count - 1, Math.floor(((clientX - left) / width) * count)));
  };
  const one = (at: number) => setMarked({ first: at, last: at });
  const drop = () => {
    setDragging(false);
    setMarked(null);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<Element>) => {
      one(barAt(event));
      if (!onBrush || event.button !== 0 || count === 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDragging(true);
    },
    onPointerMove: (event: PointerEvent<Element>) => {
      const at = barAt(event);
      if (dragging && marked) setMarked({ ...marked, last: at });
      else one(at);
    },
    onPointerUp: () => {
      if (dragging && marked) onBrush?.(marked.first, marked.last);
      if (dragging) drop();
    },
    onPointerCancel: drop,
    onPointerLeave: () => dragging || setMarked(null),
  };
  return { marked, handlers, read: one, leave: drop };
}

type BarReaderProps = {
  label: string;
  bars: ChartBar[];
  valueWords: (bar: ChartBar) => string;
  onRead: (at: number) => void;
  onLeave: () => void;
};

/** Shows what the arrow keys move, out of sight: it reads out the bar that they are on, beginning with the last. */
function BarReader({ label, bars, valueWords, onRead, onLeave }: BarReaderProps) {
  const [at, setAt] = useState<number | null>(null);
  const last = Math.max(0, bars.length - 1);
  const place = Math.min(at ?? last, last);
  const bar = bars[place];
  const move = (to: number) => {
    setAt(to);
    onRead(to);
  };
  return (
    <input
      type="range"
      min={0}
      max={last}
      value={place}
      aria-label={`Read bar by bar: ${label}`}
      aria-valuetext={bar ? valueWords(bar) : "No bars"}
      className="sr-only"
      onChange={({ target }) => move(Number(target.value))}
      onFocus={() => onRead(place)}
      onBlur={onLeave}
    />
  );
}

/** A bar's numbers, or the two ends of a drag. */
function markedWords({ first, last }: Span, bars: ChartBar[], series: ChartSeries[], words: (value: number) => string): string | null {
  const [start, end] = [bars[Math.min(first, last)], bars[Math.max(first, last)]];
  if (!start || !end) return null;
  return start === end ? barWords(start, series, words) : `${start.label} to ${end.label}`;
}

const barWords = (bar: ChartBar, series: ChartSeries[], words: (value: number) => string) =>
  `${bar.label}: ${series.map((one, index) => `${words(bar.values[index] ?? 0)} ${one.label.toLowerCase()}`).join(", ")}`;

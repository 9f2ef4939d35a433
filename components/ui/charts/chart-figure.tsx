import { type PointerEvent, useState } from "react";
import { cn } from "#components/ui/primitives/cn";
import { formatNumber } from "#lib/contracts/format-count";
import {
  type BarChartProps,
  CHART_HEIGHT,
  type ChartBar,
  type ChartHue,
  type ChartMark,
  type ChartSeries,
  keyOfBar,
  type ShownSeries,
  ticksTo,
  timesOf,
} from "./chart-data.tsx";
import { ChartAxis, ChartMarks, ChartPlot, ChartTimeAxis, MarksSummary, marksOfBar, placeMarks, type Span } from "./chart-plot.tsx";

const STRIP = 22;
const GAP = 14;

/** Adds ticks, times, a legend and a table to the plot; shows the numbers and marks of the bar under the pointer or the arrow keys. */
export function ChartFigure(props: BarChartProps) {
  const { label, bars, words = formatNumber, ticksFor = ticksTo, lines = false, height = CHART_HEIGHT, legend = true } = props;
  const { marked, handlers, read, leave } = useMarkedBars(bars.length, props.onBrush);
  const { series, hidden, toggle } = useShownSeries(props.series);
  const placed = placeMarks(props.marks ?? [], bars);
  const ticks = ticksFor(Math.max(1, ...bars.map((bar) => topOf(bar, series, lines))));
  const strip = stripOf(bars, series, ticks);
  const tall = strip ? height - STRIP - GAP : height;
  const times = timesOf(bars);
  const wordsOf = (index: number) =>
    [barWords(bars[index], series, words), ...marksOfBar(placed, index, bars.length).map((mark) => mark.label)].join("; ");
  const plot = { bars, lines, marked };
  return (
    <figure className={cn("@container flex min-w-0 flex-col gap-2", props.className)}>
      {/* The line is always there: marks that come later, and values that come and go, move nothing. */}
      <p className="flex h-4 justify-end gap-1.5 text-12 tabular-nums" data-chart-values>
        {marked ? <span className="truncate">{markedWords(marked, bars, wordsOf)}</span> : <MarksSummary marks={placed} />}
      </p>
      <div className="flex gap-2">
        <div className="flex flex-col" style={{ gap: GAP }}>
          <ChartAxis ticks={ticks} words={words} height={tall} />
          {strip ? <ChartAxis ticks={[strip.top]} words={words} height={STRIP} /> : null}
        </div>
        <div
          className={cn(
            "relative flex min-w-0 flex-1 touch-pan-y select-none flex-col",
            "has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-focus",
            props.onBrush && "cursor-crosshair",
          )}
          {...handlers}
        >
          <div className="relative border-line-strong border-b" style={{ height: tall }}>
            <ChartPlot {...plot} label={label} series={series} ticks={ticks} height={tall} />
            <ChartMarks placed={placed} />
          </div>
          {strip ? (
            <div className="relative border-line-strong border-b" style={{ height: STRIP, marginTop: GAP }}>
              <ChartPlot
                {...plot}
                label={`${strip.series.label}, at its own scale`}
                series={[strip.series]}
                ticks={[0, strip.top]}
                height={STRIP}
              />
            </div>
          ) : null}
          {times ? <ChartTimeAxis {...times} /> : null}
          <BarReader label={label} count={bars.length} wordsOf={wordsOf} onRead={read} onLeave={leave} />
        </div>
      </div>
      {legend || props.caption || props.ends ? (
        <figcaption className="flex min-h-6 items-center justify-between gap-x-4 text-12 text-muted">
          {props.ends ? <span>{props.ends[0]}</span> : null}
          {props.caption}
          {legend ? <ChartLegend series={props.series} hidden={hidden} onToggle={toggle} narrow={props.caption === undefined} /> : null}
          {props.ends ? <span>{props.ends[1]}</span> : null}
        </figcaption>
      ) : null}
      <ChartTable label={label} series={props.series} bars={bars} words={words} marks={placed} />
    </figure>
  );
}

function useShownSeries(all: BarChartProps["series"]) {
  const [hidden, setHidden] = useState<string[]>([]);
  const series: ShownSeries[] = all.map((one, index) => ({ ...one, index })).filter(({ label }) => !hidden.includes(label));
  const toggle = (label: string) => {
    if (hidden.includes(label)) setHidden(hidden.filter((one) => one !== label));
    else if (series.length > 1) setHidden([...hidden, label]);
  };
  return { series, hidden, toggle };
}

function topOf({ values }: ChartBar, series: ShownSeries[], lines: boolean): number {
  const shown = series.map(({ index }) => values[index] ?? 0);
  return lines ? Math.max(0, ...shown) : shown.reduce((sum, value) => sum + value, 0);
}

/** A series is too thin to read if the others are this many times as high. */
const TOO_THIN = 5;

function stripOf(bars: ChartBar[], series: ShownSeries[], ticks: number[]): { series: ShownSeries; top: number } | null {
  const apart = series.length > 1 ? series.find((one) => one.apart) : undefined;
  if (!apart) return null;
  const top = Math.max(0, ...bars.map(({ values }) => values[apart.index] ?? 0));
  return top > 0 && top * TOO_THIN <= (ticks.at(-1) ?? 1) ? { series: apart, top } : null;
}

function markedWords({ first, last }: Span, bars: ChartBar[], wordsOf: (index: number) => string): string | null {
  if (first === last) return wordsOf(first);
  const [start, end] = [bars[Math.min(first, last)], bars[Math.max(first, last)]];
  return start && end ? `${start.label} to ${end.label}` : null;
}

function barWords(bar: ChartBar | undefined, series: ShownSeries[], words: (value: number) => string): string {
  if (!bar) return "";
  const values = series.map(({ label, index }) => `${valueWords(bar.values[index], words)} ${label.toLowerCase()}`);
  return `${bar.label}: ${values.join(", ")}`;
}

const valueWords = (value: number | null | undefined, words: (value: number) => string) => (value == null ? "no" : words(value));

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

const DOTS: Record<ChartHue, string> = {
  accent: "bg-accent",
  fine: "bg-fine-mark",
  working: "bg-working-mark",
  attention: "bg-attention-mark",
  failed: "bg-failed-mark",
};

const STRIPES = "[background-image:linear-gradient(transparent_50%,var(--surface)_50%)] [background-size:100%_4px]";

type ChartLegendProps = { series: ChartSeries[]; hidden: string[]; onToggle: (label: string) => void; narrow: boolean };

/** Explains the colours; where it is narrow a caption needs the room (unless `narrow`). Of several series, each is a button that hides it: the axis then fits the rest. */
function ChartLegend({ series, hidden, onToggle, narrow }: ChartLegendProps) {
  return (
    <span className={cn("-mx-1.5 flex gap-x-1", narrow ? "flex-wrap" : "shrink-0 @max-[560px]:hidden")}>
      {series.map(({ label, hue, striped }) => {
        const shown = !hidden.includes(label);
        const content = (
          <>
            <span aria-hidden className={cn("size-2 rounded-sm", shown ? [DOTS[hue], striped && STRIPES] : "border border-line-strong")} />
            <span className={shown ? undefined : "text-faint"}>{label}</span>
          </>
        );
        const look = "flex min-h-6 items-center gap-1.5 rounded-sm px-1.5";
        return series.length === 1 ? (
          <span key={label} className={look}>
            {content}
          </span>
        ) : (
          <button
            key={label}
            type="button"
            aria-pressed={shown}
            title={shown ? `Hide ${label.toLowerCase()}` : `Show ${label.toLowerCase()}`}
            className={cn(look, "cursor-pointer hover:bg-hover hover:text-text")}
            onClick={() => onToggle(label)}
          >
            {content}
          </button>
        );
      })}
    </span>
  );
}

type BarReaderProps = {
  label: string;
  count: number;
  wordsOf: (index: number) => string;
  onRead: (index: number) => void;
  onLeave: () => void;
};

/** Renders a visually hidden slider: the arrow keys move it, beginning with the last bar, and it reads out the bar. */
function BarReader({ label, count, wordsOf, onRead, onLeave }: BarReaderProps) {
  const [at, setAt] = useState<number | null>(null);
  const last = Math.max(0, count - 1);
  const place = Math.min(at ?? last, last);
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
      aria-valuetext={count === 0 ? "No bars" : wordsOf(place)}
      className="sr-only"
      onChange={({ target }) => move(Number(target.value))}
      onFocus={() => onRead(place)}
      onBlur={onLeave}
    />
  );
}

type ChartTableProps = { label: string; series: ChartSeries[]; bars: ChartBar[]; words: (value: number) => string; marks: ChartMark[] };

/** Lists the numbers for keyboards and screen readers. The rows are made when the table is opened. */
function ChartTable({ label, series, bars, words, marks }: ChartTableProps) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="text-12 text-muted">
      <summary className="w-fit cursor-pointer rounded-sm hover:text-text">
        Show as table<span className="sr-only">: {label}</span>
      </summary>
      {open ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        <section aria-label={label} tabIndex={0} className="mt-1 max-h-60 overflow-y-auto">
          {marks.length === 0 ? null : (
            <ul aria-label="Changes" className="mb-2 list-inside list-disc">
              {marks.map((mark) => (
                <li key={`${mark.at} ${mark.label}`}>{mark.label}</li>
              ))}
            </ul>
          )}
          <table className="w-full text-left tabular-nums">
            <thead>
              <tr>
                <th scope="col" className="font-medium">
                  Time
                </th>
                {series.map((one) => (
                  <th key={one.label} scope="col" className="text-right font-medium">
                    {one.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {bars.map((bar) => (
                <tr key={keyOfBar(bar)}>
                  <th scope="row" className="font-normal">
                    {bar.label}
                  </th>
                  {series.map((one, index) => (
                    <td key={one.label} className="text-right">
                      {bar.values[index] == null ? "–" : words(bar.values[index])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : null}
    </details>
  );
}

import { Fragment, useId } from "react";
import { cn } from "#components/ui/primitives/cn";
import { useTimeZone } from "#components/ui/time-format";
import { type ChartBar, type ChartHue, type ChartMark, keyOfBar, type ShownSeries, timesOf } from "./chart-data.tsx";

const FILLS: Record<ChartHue, string> = {
  accent: "fill-accent",
  fine: "fill-fine-mark",
  working: "fill-working-mark",
  attention: "fill-attention-mark",
  failed: "fill-failed-mark",
};

/** Pixels: a single failure among thousands stays visible. */
const THINNEST = 2;
/** Of 100: the space above lets the thinnest parts grow. */
const FULL = 96;
const STEP = 10;
/** Height of a stripe and its gap, of 100. */
const STRIPES = 7;

export type Span = { first: number; last: number };

type ChartPlotProps = {
  label: string;
  series: ShownSeries[];
  bars: ChartBar[];
  ticks: number[];
  height: number;
  lines: boolean;
  marked: Span | null;
};

export function ChartPlot({ label, series, bars, ticks, height, lines, marked }: ChartPlotProps) {
  const top = ticks.at(-1) ?? 1;
  const width = bars.length * STEP;
  const stripes = useId();
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${width} 100`} preserveAspectRatio="none" className="absolute inset-0 size-full">
      <pattern id={stripes} width={STEP} height={STRIPES} patternUnits="userSpaceOnUse">
        <path d={`M0 ${STRIPES / 4}h${STEP}`} className="stroke-surface" strokeWidth={STRIPES / 2} />
      </pattern>
      {ticks.slice(1).map((tick) => (
        <line
          key={tick}
          x1={0}
          x2={width}
          y1={100 - (tick / top) * FULL}
          y2={100 - (tick / top) * FULL}
          vectorEffect="non-scaling-stroke"
          className="stroke-line"
        />
      ))}
      {marked ? (
        <rect
          x={Math.min(marked.first, marked.last) * STEP}
          width={(Math.abs(marked.last - marked.first) + 1) * STEP}
          y={0}
          height={100}
          className={marked.first === marked.last ? "fill-hover" : "fill-selected"}
        />
      ) : null}
      {lines ? (
        <ChartLines series={series} bars={bars} place={(index, value) => [(index + 0.5) * STEP, 100 - (value / top) * FULL]} />
      ) : (
        bars.map((bar, index) => (
          <Bar key={keyOfBar(bar)} parts={partsOf(bar, series, top, (THINNEST / height) * 100)} x={index * STEP} stripes={stripes} />
        ))
      )}
    </svg>
  );
}

type BarPart = { label: string; hue: ChartHue; striped: boolean | undefined; y: number; tall: number };

function partsOf({ values }: ChartBar, series: ShownSeries[], top: number, thinnest: number): BarPart[] {
  let below = 0;
  return series.flatMap(({ label, hue, striped, index }) => {
    const value = values[index] ?? 0;
    if (value === 0) return [];
    const tall = Math.max(thinnest, (value / top) * FULL);
    below += tall;
    return [{ label, hue, striped, tall, y: 100 - below }];
  });
}

const Bar = ({ parts, x, stripes }: { parts: BarPart[]; x: number; stripes: string }) => (
  <g>
    {parts.map(({ label, hue, striped, y, tall }) => {
      const place = { x: x + 1.5, y, width: 7, height: tall };
      return (
        <Fragment key={label}>
          <rect data-part={label} {...place} className={FILLS[hue]} />
          {striped ? <rect {...place} fill={`url(#${stripes})`} fillOpacity={0.6} /> : null}
        </Fragment>
      );
    })}
  </g>
);

/** Pixels: closer labels would touch. */
const APART = 13;

export function ChartAxis({ ticks: all, words, height }: { ticks: number[]; words: (value: number) => string; height: number }) {
  const top = all.at(-1) ?? 1;
  const every = (height * FULL) / 100 / (all.length - 1) < APART ? 2 : 1;
  const ticks = all.filter((_, index) => (all.length - 1 - index) % every === 0);
  return (
    <div aria-hidden className="relative shrink-0 text-right text-12 text-faint leading-3 tabular-nums" style={{ height }}>
      {ticks.map((tick) => (
        <span
          key={tick}
          data-tick
          className="absolute right-0 translate-y-1/2 whitespace-nowrap"
          style={{ bottom: `${(tick / top) * FULL}%` }}
        >
          {words(tick)}
        </span>
      ))}
      <span className="opacity-0">{ticks.map(words).reduce((a, b) => (b.length > a.length ? b : a))}</span>
    </div>
  );
}

const STROKES: Record<ChartHue, string> = {
  accent: "stroke-accent",
  fine: "stroke-fine-mark",
  working: "stroke-working-mark",
  attention: "stroke-attention-mark",
  failed: "stroke-failed-mark",
};

type Point = [x: number, y: number];
type ChartLinesProps = { series: ShownSeries[]; bars: ChartBar[]; place: (index: number, value: number) => Point };

/** Breaks lines where nothing was measured; a value between two gaps is a dot. */
const ChartLines = ({ series, bars, place }: ChartLinesProps) =>
  series.map(({ label, hue, index }) => {
    const parts = runsOf(bars.map(({ values }, at) => (values[index] == null ? null : place(at, values[index]))));
    return (
      <g key={label} data-line={label} className={STROKES[hue]} fill="none" strokeLinecap="round" strokeLinejoin="round">
        <path d={pathOf(parts.filter(({ length }) => length > 1))} vectorEffect="non-scaling-stroke" strokeWidth={2} />
        <path d={pathOf(parts.filter(({ length }) => length === 1))} vectorEffect="non-scaling-stroke" strokeWidth={5} />
      </g>
    );
  });

function runsOf(points: (Point | null)[]): Point[][] {
  const parts: Point[][] = [[]];
  for (const point of points) {
    if (point === null) parts.push([]);
    else parts.at(-1)?.push(point);
  }
  return parts.filter(({ length }) => length > 0);
}

const pathOf = (parts: Point[][]): string =>
  parts.map((part) => `M${part.map((point) => point.join(" ")).join("L")}${part.length === 1 ? "h0" : ""}`).join("");

type Placed = ChartMark & { start: number; end: number };

/** Returns the marks within the bars' time, each with its place: 0 is the beginning, 1 the end. */
export function placeMarks(marks: ChartMark[], bars: ChartBar[]): Placed[] {
  const times = timesOf(bars);
  if (!times) return [];
  const placeOf = (at: string) => (Date.parse(at) - times.from) / times.lasts;
  return marks
    .map((mark) => ({ ...mark, start: placeOf(mark.at), end: placeOf(mark.until ?? mark.at) }))
    .filter(({ start, end }) => end >= 0 && start < 1)
    .map((mark) => ({ ...mark, start: Math.max(0, mark.start), end: Math.min(1, mark.end) }));
}

export const marksOfBar = (placed: Placed[], index: number, count: number): Placed[] =>
  placed.filter(({ start, end }) => Math.floor(start * count) <= index && index <= Math.floor(end * count));

export const ChartMarks = ({ placed }: { placed: Placed[] }) => (
  <div aria-hidden className="pointer-events-none absolute inset-0">
    {placed.map(({ at, label, start, end }) => (
      <span
        key={`${at} ${label}`}
        data-mark
        className="absolute top-0 h-full bg-attention-mark/20"
        style={{ left: `${start * 100}%`, width: `${(end - start) * 100}%` }}
      >
        <span className="absolute top-0 left-0 h-full w-px bg-attention-mark" />
        <span className="absolute top-0 left-0 h-1.5 w-2 bg-attention-mark" />
      </span>
    ))}
  </div>
);

export function MarksSummary({ marks }: { marks: ChartMark[] }) {
  const latest = marks.at(-1);
  if (!latest) return null;
  return (
    <>
      <span aria-hidden className="h-full w-px shrink-0 border-attention-mark border-l" />
      <span className="truncate text-muted" title={marks.map(({ label }) => label).join("\n")}>
        {marks.length > 1 ? `${marks.length} changes, the latest: ${latest.label}` : latest.label}
      </span>
    </>
  );
}

/** A share of the width: a label closer to an end would reach beyond it. */
const EDGE = 0.03;

export function ChartTimeAxis({ from, lasts }: { from: number; lasts: number }) {
  const ticks = timeTicks(from, lasts, useTimeZone())
    .map(({ at, label }) => ({ at, label, place: (at - from) / lasts }))
    .filter(({ place }) => place > EDGE && place < 1 - EDGE);
  return (
    <div aria-hidden className="@container relative h-5 text-12 text-faint leading-3 tabular-nums">
      {ticks.map(({ at, label, place }, index) => (
        <span
          key={at}
          data-time-tick
          className={cn(
            "absolute top-0 flex -translate-x-1/2 flex-col items-center gap-0.5 whitespace-nowrap before:h-1 before:border-line-strong before:border-l",
            index % 2 === 1 && "hidden @[460px]:flex",
          )}
          style={{ left: `${place * 100}%` }}
        >
          {label}
        </span>
      ))}
    </div>
  );
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MAX_TICKS = 7;
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 4, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 5, 10, 30, 90, 365].map((n) => n * DAY),
];

type TimeTick = { at: number; label: string };

/** Returns the whole hours, days … of a period in the reader's zone, at most 8. Midnight is shown as the day. */
export function timeTicks(from: number, lasts: number, timeZone?: "UTC"): TimeTick[] {
  const step = STEPS.find((each) => lasts / each <= MAX_TICKS) ?? Math.ceil(lasts / MAX_TICKS / DAY) * DAY;
  const shiftAt = (at: number) => (timeZone === "UTC" ? 0 : -new Date(at).getTimezoneOffset() * MINUTE);
  const shift = shiftAt(from);
  const ticks: TimeTick[] = [];
  for (let local = Math.ceil((from + shift) / step) * step; local - shift < from + lasts; local += step) {
    // The clocks may have changed since the period began.
    const at = local - shiftAt(local - shift);
    ticks.push({ at, label: tickWords(at, { day: local % DAY === 0, seconds: step < MINUTE }, timeZone) });
  }
  return ticks;
}

function tickWords(at: number, { day, seconds }: { day: boolean; seconds: boolean }, timeZone?: string): string {
  const format: Intl.DateTimeFormatOptions = day
    ? { day: "numeric", month: "short" }
    : { hour: "2-digit", minute: "2-digit", ...(seconds && { second: "2-digit" }) };
  return new Intl.DateTimeFormat("en-GB", { ...format, timeZone }).format(at);
}

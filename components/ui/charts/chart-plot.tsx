import { type ChartBar, type ChartHue, keyOfBar, type ShownSeries } from "./chart-data.tsx";
import { ChartLines } from "./chart-lines.tsx";

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
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${width} 100`} preserveAspectRatio="none" className="absolute inset-0 size-full">
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
        bars.map((bar, index) => <Bar key={keyOfBar(bar)} parts={partsOf(bar, series, top, (THINNEST / height) * 100)} x={index * STEP} />)
      )}
    </svg>
  );
}

type BarPart = { label: string; hue: ChartHue; y: number; tall: number };

function partsOf({ values }: ChartBar, series: ShownSeries[], top: number, thinnest: number): BarPart[] {
  let below = 0;
  return series.flatMap(({ label, hue, index }) => {
    const value = values[index] ?? 0;
    if (value === 0) return [];
    const tall = Math.max(thinnest, (value / top) * FULL);
    below += tall;
    return [{ label, hue, tall, y: 100 - below }];
  });
}

const Bar = ({ parts, x }: { parts: BarPart[]; x: number }) => (
  <g>
    {parts.map(({ label, hue, y, tall }) => (
      <rect key={label} data-part={label} x={x + 1.5} y={y} width={7} height={tall} className={FILLS[hue]} />
    ))}
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

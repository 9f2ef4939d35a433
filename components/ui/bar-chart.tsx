import { cn } from "#components/ui/cn";
import { formatNumber } from "#components/ui/count";

export type ChartSeries = { label: string; hue: "accent" | "fine" | "working" | "attention" | "failed" };
export type ChartBar = { label: string; values: number[] };

const FILLS: Record<ChartSeries["hue"], string> = {
  accent: "fill-accent",
  fine: "fill-fine-mark",
  working: "fill-working-mark",
  attention: "fill-attention-mark",
  failed: "fill-failed-mark",
};
const DOTS: Record<ChartSeries["hue"], string> = {
  accent: "bg-accent",
  fine: "bg-fine-mark",
  working: "bg-working-mark",
  attention: "bg-attention-mark",
  failed: "bg-failed-mark",
};

type BarChartProps = {
  /** What it shows, in a sentence: it is the picture's text. */
  label: string;
  series: ChartSeries[];
  /** Oldest first; `values` in the order of `series`, stacked from below. */
  bars: ChartBar[];
  /** How a value is said: a number with thousands marks unless told otherwise. */
  words?: (value: number) => string;
  height?: number;
  legend?: boolean;
  /** What stands below the first and the last bar, where their own labels say too much. */
  ends?: [first: string, last: string];
  className?: string;
};

/** Stacked bars as plain SVG, drawn on the server. Each bar's numbers are its title. */
export function BarChart({ label, series, bars, words = formatNumber, height = 96, legend = true, ends, className }: BarChartProps) {
  const top = Math.max(1, ...bars.map((bar) => bar.values.reduce((sum, value) => sum + value, 0)));
  const width = bars.length * 10;
  return (
    <figure className={cn("flex flex-col gap-2", className)}>
      <div className="border-b border-line-strong">
        <span className="block text-12 text-faint">{words(top)}</span>
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 0 ${width} 100`}
          preserveAspectRatio="none"
          className="block w-full"
          style={{ height }}
        >
          {bars.map((bar, index) => (
            <Bar key={bar.label} bar={bar} series={series} words={words} x={index * 10} top={top} />
          ))}
        </svg>
      </div>
      <figcaption className="flex flex-wrap justify-between gap-x-4 text-12 text-muted">
        <span>{ends ? ends[0] : bars[0]?.label}</span>
        {legend ? (
          <span className="flex gap-4 max-[480px]:order-last max-[480px]:w-full max-[480px]:justify-center">
            {series.map((one) => (
              <span key={one.label} className="flex items-center gap-1.5">
                <span aria-hidden className={cn("size-2 rounded-sm", DOTS[one.hue])} />
                {one.label}
              </span>
            ))}
          </span>
        ) : null}
        <span>{ends ? ends[1] : bars.at(-1)?.label}</span>
      </figcaption>
    </figure>
  );
}

type BarProps = Required<Pick<BarChartProps, "series" | "words">> & { bar: ChartBar; x: number; top: number };

function Bar({ bar, series, words, x, top }: BarProps) {
  const values = series.map((one, index) => `${words(bar.values[index] ?? 0)} ${one.label.toLowerCase()}`).join(", ");
  let below = 0;
  return (
    <g>
      <title>{`${bar.label}: ${values}`}</title>
      <rect x={x} y={0} width={10} height={100} className="fill-hover opacity-0 hover:opacity-100" />
      {series.map((one, index) => {
        const tall = ((bar.values[index] ?? 0) / top) * 96;
        below += tall;
        return tall === 0 ? null : (
          <rect key={one.label} x={x + 1.5} y={100 - below} width={7} height={tall} className={cn("pointer-events-none", FILLS[one.hue])} />
        );
      })}
    </g>
  );
}

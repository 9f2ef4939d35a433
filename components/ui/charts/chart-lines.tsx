import type { ChartBar, ChartHue, ShownSeries } from "./chart-data.tsx";

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
export const ChartLines = ({ series, bars, place }: ChartLinesProps) =>
  series.map(({ label, hue, index }) => {
    const parts = partsOf(bars.map(({ values }, at) => (values[index] == null ? null : place(at, values[index]))));
    return (
      <g key={label} data-line={label} className={STROKES[hue]} fill="none" strokeLinecap="round" strokeLinejoin="round">
        <path d={pathOf(parts.filter(({ length }) => length > 1))} vectorEffect="non-scaling-stroke" strokeWidth={2} />
        <path d={pathOf(parts.filter(({ length }) => length === 1))} vectorEffect="non-scaling-stroke" strokeWidth={5} />
      </g>
    );
  });

function partsOf(points: (Point | null)[]): Point[][] {
  const parts: Point[][] = [[]];
  for (const point of points) {
    if (point === null) parts.push([]);
    else parts.at(-1)?.push(point);
  }
  return parts.filter(({ length }) => length > 0);
}

const pathOf = (parts: Point[][]): string =>
  parts.map((part) => `M${part.map((point) => point.join(" ")).join("L")}${part.length === 1 ? "h0" : ""}`).join("");

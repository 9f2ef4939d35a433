import { type ChartBar, type ChartMark, timesOf } from "./chart-data.tsx";

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

import { useState } from "react";
import { type ChartBar, type ChartMark, type ChartSeries, keyOfBar } from "./chart-data.tsx";

type BarReaderProps = {
  label: string;
  count: number;
  wordsOf: (index: number) => string;
  onRead: (index: number) => void;
  onLeave: () => void;
};

/** Renders a visually hidden slider: the arrow keys move it, beginning with the last bar, and it reads out the bar. */
export function BarReader({ label, count, wordsOf, onRead, onLeave }: BarReaderProps) {
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
export function ChartTable({ label, series, bars, words, marks }: ChartTableProps) {
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

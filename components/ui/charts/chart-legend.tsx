import { cn } from "#components/ui/primitives/cn";
import type { ChartHue, ChartSeries } from "./chart-data.tsx";

const DOTS: Record<ChartHue, string> = {
  accent: "bg-accent",
  fine: "bg-fine-mark",
  working: "bg-working-mark",
  attention: "bg-attention-mark",
  failed: "bg-failed-mark",
};

type ChartLegendProps = { series: ChartSeries[]; hidden: string[]; onToggle: (label: string) => void };

/** Explains the colours. Of several series, each is a button that hides it: the axis then fits the rest. */
export function ChartLegend({ series, hidden, onToggle }: ChartLegendProps) {
  return (
    <span className="-mx-1.5 flex shrink-0 gap-x-1">
      {series.map(({ label, hue }) => {
        const shown = !hidden.includes(label);
        const content = (
          <>
            <span aria-hidden className={cn("size-2 rounded-sm", shown ? DOTS[hue] : "border border-line-strong")} />
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

import { ChoiceButtons } from "#components/ui/choice";
import { useUrlParameter } from "#components/ui/lists/use-page-query";

export type ChartSpan = "1h" | "24h" | "7d" | "30d";

const RANGES: readonly { value: ChartSpan; label: string }[] = [
  { value: "1h", label: "1 h" },
  { value: "24h", label: "24 h" },
  { value: "7d", label: "7 d" },
  { value: "30d", label: "30 d" },
];

export const RANGE_WORDS: Record<ChartSpan, string> = {
  "1h": "last hour",
  "24h": "last 24 hours",
  "7d": "last 7 days",
  "30d": "last 30 days",
};

export function useRange(fallback: ChartSpan): { range: ChartSpan; setRange: (range: ChartSpan) => void } {
  const [asked, setRange] = useUrlParameter("range", fallback);
  return { range: RANGES.find(({ value }) => value === asked)?.value ?? fallback, setRange };
}

export const RangePicker = ({ range, setRange }: { range: ChartSpan; setRange: (range: ChartSpan) => void }) => (
  <ChoiceButtons legend="Time range of the chart" choices={RANGES} chosen={range} onChoose={setRange} />
);

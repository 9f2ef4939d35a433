import { useQuery } from "@tanstack/react-query";
import type { ChartBar, ChartMark, ChartSeries } from "#components/ui/charts/chart-data";
import { useClockWords } from "#components/ui/time-format";
import { annotationsQuery, totalWords } from "#lib/client/queries/event-volume";
import type { EventVolume } from "#lib/contracts/events/events";
import { formatNumber } from "#lib/contracts/format-count";

export const VOLUME_SERIES: ChartSeries[] = [
  { label: "Applied or pending", hue: "accent" },
  { label: "Failed", hue: "failed", apart: true },
];

export const volumeValues = (count: number, failed: number): number[] => [Math.max(0, count - failed), failed];

export const volumeBars = ({ bars }: EventVolume, clockWords: (at: number) => string): ChartBar[] =>
  bars.map(({ at, count, failed }) => ({ at, label: clockWords(Date.parse(at)), values: volumeValues(count, failed) }));

export function volumeLabel(volume: EventVolume): string {
  const failed = volume.bars.reduce((sum, bar) => sum + bar.failed, 0);
  return `${totalWords(volume)} over time, ${formatNumber(failed)} failed, at most ${formatNumber(Math.max(0, ...volume.bars.map(({ count }) => count)))} in one bar`;
}

export function useChartMarks(bars: { at?: string }[] = []): ChartMark[] {
  const { data } = useQuery(annotationsQuery(bars[0]?.at, bars[1]?.at, bars.length));
  const clockWords = useClockWords(false);
  return (data?.data ?? []).map(({ at, until, text }) => {
    const times = [at, until].flatMap((time) => (time === null ? [] : [clockWords(Date.parse(time))]));
    return { at, until, label: `${text} (${times.join(" to ")})` };
  });
}

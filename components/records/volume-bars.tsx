import type { ChartBar, ChartSeries } from "#components/ui/charts/chart-data";
import { totalWords } from "#lib/client/queries/events/event-volume";
import { formatNumber } from "#lib/contracts/counts/format-count";
import type { EventVolume } from "#lib/contracts/events/events";

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

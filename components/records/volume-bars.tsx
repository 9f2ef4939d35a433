import { useQuery } from "@tanstack/react-query";
import type { ChartBar, ChartMark, ChartSeries } from "#components/ui/charts/chart-data";
import { useClockWords } from "#components/ui/time-format";
import { annotationsQuery, totalWords } from "#lib/client/queries/event-volume";
import type { EventVolume } from "#lib/contracts/events/events";
import { formatNumber } from "#lib/contracts/format-count";

export const VOLUME_SERIES: ChartSeries[] = [
  { label: "Processed or pending", hue: "accent" },
  { label: "Repaired", hue: "attention" },
  { label: "Failed", hue: "failed", apart: true },
];

export const volumeValues = (count: number, failed: number, repaired: number): number[] => [
  Math.max(0, count - failed - repaired),
  repaired,
  failed,
];

export const volumeBars = ({ bars }: EventVolume, clockWords: (at: number) => string): ChartBar[] =>
  bars.map(({ at, count, failed, repaired }) => ({ at, label: clockWords(Date.parse(at)), values: volumeValues(count, failed, repaired) }));

export function volumeLabel(volume: EventVolume): string {
  return `${totalWords(volume)} over time${failureWords(volume.bars) || ", none failed"}, at most ${formatNumber(Math.max(0, ...volume.bars.map(({ count }) => count)))} in one bar`;
}

/** Most that are counted of those that failed at some time (lib/events/volume-store.ts). */
const MAX_COUNTED = 10_000;

export type Failures = readonly Pick<EventVolume["bars"][number], "everFailed" | "repaired">[];

/** Says how many ever failed, and of those how many were repaired: ", 500 failed, 500 repaired". Empty if none did. */
export function failureWords(bars: Failures): string {
  const sum = (name: "everFailed" | "repaired") => bars.reduce((all, bar) => all + bar[name], 0);
  const words = (n: number) => `${formatNumber(n)}${n >= MAX_COUNTED ? "+" : ""}`;
  const [failed, repaired] = [sum("everFailed"), sum("repaired")];
  return failed === 0 ? "" : `, ${words(failed)} failed${repaired === 0 ? "" : `, ${words(repaired)} repaired`}`;
}

export function useChartMarks(bars: { at?: string }[] = []): ChartMark[] {
  const { data } = useQuery(annotationsQuery(bars[0]?.at, bars[1]?.at, bars.length));
  const clockWords = useClockWords(false);
  return (data?.data ?? []).map(({ at, until, text }) => {
    const times = [at, until].flatMap((time) => (time === null ? [] : [clockWords(Date.parse(time))]));
    return { at, until, label: `${text} (${times.join(" to ")})` };
  });
}

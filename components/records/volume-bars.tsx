import { useQuery } from "@tanstack/react-query";
import type { ChartBar, ChartMark, ChartSeries } from "#components/ui/charts/chart-data";
import { useClockWords } from "#components/ui/time-format";
import { annotationsQuery, totalWords } from "#lib/client/queries/event-volume";
import type { EventVolume } from "#lib/contracts/events/events";
import { formatNumber } from "#lib/contracts/format-count";

const SERIES: ChartSeries[] = [
  { label: "Processed or pending", hue: "accent" },
  { label: "Repaired", hue: "attention" },
  { label: "Failed", hue: "failed", apart: true },
];
export const REPORTED: ChartSeries = { label: "Reported failures", hue: "failed", striped: true };

type Counts = { at: string; count: number; failed: number; repaired: number; reported: number };

/** Returns a chart's parts and bars. Most senders report no failures: then it has no part for them. */
export const volumeChart = (counts: Counts[], clockWords: (at: number) => string): { series: ChartSeries[]; bars: ChartBar[] } => ({
  series: counts.some(({ reported }) => reported > 0) ? [...SERIES, REPORTED] : SERIES,
  bars: counts.map(({ at, count, failed, repaired, reported }) => ({
    at,
    label: clockWords(Date.parse(at)),
    values: [Math.max(0, count - failed - repaired - reported), repaired, failed, reported],
  })),
});

const TIME_WORDS = { received: "over time", occurred: "over the time of occurrence" };

export function volumeLabel(volume: EventVolume): string {
  return `${totalWords(volume)} ${TIME_WORDS[volume.by]}${failureWords(volume.bars) || ", none failed"}, at most ${formatNumber(Math.max(0, ...volume.bars.map(({ count }) => count)))} in one bar`;
}

/** Most that are counted of those that failed at some time (lib/events/volume-store.ts). */
const MAX_COUNTED = 10_000;

export type Failures = readonly Pick<EventVolume["bars"][number], "everFailed" | "repaired" | "reported">[];

/** Says how many ever failed, of those how many were repaired, and how many report one: ", 500 failed, 500 repaired, 7 report failures". */
export const failureWords = (bars: Failures): string =>
  (
    [
      ["everFailed", "failed"],
      ["repaired", "repaired"],
      ["reported", "report failures"],
    ] as const
  )
    .map(([name, words]) => [bars.reduce((all, bar) => all + bar[name], 0), words] as const)
    .map(([n, words]) => (n === 0 ? "" : `, ${formatNumber(n)}${n >= MAX_COUNTED ? "+" : ""} ${words}`))
    .join("");

export function useChartMarks(bars: { at?: string }[] = []): ChartMark[] {
  const { data } = useQuery(annotationsQuery(bars[0]?.at, bars[1]?.at, bars.length));
  const clockWords = useClockWords(false);
  return (data?.data ?? []).map(({ at, until, text }) => {
    const times = [at, until].flatMap((time) => (time === null ? [] : [clockWords(Date.parse(time))]));
    return { at, until, label: `${text} (${times.join(" to ")})` };
  });
}

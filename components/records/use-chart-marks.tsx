"use client";

import { useQuery } from "@tanstack/react-query";
import type { ChartMark } from "#components/ui/charts/chart-data";
import { useClockWords } from "#components/ui/time/use-exact-time";
import { annotationsQuery } from "#lib/client/queries/events/annotations";

export function useChartMarks(bars: { at?: string }[] = []): ChartMark[] {
  const { data } = useQuery(annotationsQuery(bars[0]?.at, bars[1]?.at, bars.length));
  const clockWords = useClockWords(false);
  return (data?.data ?? []).map(({ at, until, text }) => {
    const times = [at, until].flatMap((time) => (time === null ? [] : [clockWords(Date.parse(time))]));
    return { at, until, label: `${text} (${times.join(" to ")})` };
  });
}

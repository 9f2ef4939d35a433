"use client";

import { useQuery } from "@tanstack/react-query";
import { VOLUME_SERIES, volumeBars, volumeLabel } from "#components/records/volume-bars";
import { BarChart } from "#components/ui/charts/bar-chart";
import { durationWords } from "#components/ui/time/time-format";
import { useClockWords, useExactWords } from "#components/ui/time/use-exact-time";
import { periodOf, totalWords, volumeQuery } from "#lib/client/queries/events/event-volume";
import { compact } from "#lib/client/url-filter";
import type { EventFilter, EventVolume } from "#lib/contracts/events/events";

const HEIGHT = 64;

type VolumeChartProps = { filter: EventFilter; onChange: (filter: EventFilter) => void };

/** Shows how many events match, over time. Dragging across it zooms in; the time range menu does the same by keyboard. */
export function VolumeChart({ filter, onChange }: VolumeChartProps) {
  const { data } = useQuery(volumeQuery(filter));
  const clockWords = useClockWords((data?.stepSeconds ?? 60) < 60);
  if (!data) return <div aria-hidden className="h-[136px]" />;
  const zoom = (first: number, last: number) => {
    const period = periodOf(data, first, last);
    if (period) onChange(compact({ ...filter, period: undefined, ...period }));
  };
  const seconds = data.stepSeconds < 60;
  return (
    <BarChart
      label={volumeLabel(data)}
      series={VOLUME_SERIES}
      bars={volumeBars(data, clockWords)}
      height={HEIGHT}
      caption={<Total volume={data} />}
      ends={[<End key="from" at={data.from} seconds={seconds} />, <End key="to" at={data.to} seconds={seconds} />]}
      onBrush={zoom}
    />
  );
}

const Total = ({ volume }: { volume: EventVolume }) => (
  <span aria-live="polite" className="shrink-0 font-medium text-text">
    {totalWords(volume)}
    <span className="font-normal text-faint max-rail:hidden">{`, ${durationWords(volume.stepSeconds * 1000)} per bar`}</span>
  </span>
);

/** The start or end of the chart, as precise as its bars. */
function End({ at, seconds }: { at: string; seconds: boolean }) {
  const clockWords = useClockWords(seconds);
  const exactWords = useExactWords();
  return (
    <time dateTime={at} title={exactWords(Date.parse(at))} className="truncate">
      {clockWords(Date.parse(at))}
    </time>
  );
}

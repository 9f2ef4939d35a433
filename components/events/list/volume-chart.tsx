import { useQuery } from "@tanstack/react-query";
import { failureWords, useChartMarks, volumeChart, volumeLabel } from "#components/records/volume-bars";
import { BarChart, ChartSkeleton, NoBars } from "#components/ui/charts/bar-chart";
import { durationWords, useClockWords } from "#components/ui/time-format";
import { periodOf, totalWords, volumeQuery } from "#lib/client/queries/event-volume";
import { compact, isEmptyFilter } from "#lib/client/url-filter";
import { hasTimeRange } from "#lib/contracts/events/event-filters";
import type { EventFilter, EventVolume } from "#lib/contracts/events/events";

const HEIGHT = 84;

type VolumeChartProps = { filter: EventFilter; onChange: (filter: EventFilter) => void };

/** Shows how many events match, over time. Dragging zooms in; the time range menu does the same by keyboard. */
export function VolumeChart({ filter, onChange }: VolumeChartProps) {
  const { data } = useQuery(volumeQuery(filter));
  const clockWords = useClockWords((data?.stepSeconds ?? 60) < 60);
  const marks = useChartMarks(data?.bars);
  if (!data) return <ChartSkeleton height={HEIGHT} />;
  if (data.total === 0 && data.precision === "exact") return <NoBars height={HEIGHT}>{noneWords(filter)}</NoBars>;
  const zoom = (first: number, last: number) => {
    const span = periodOf(data, first, last);
    if (span && data.by === "occurred") onChange({ ...filter, occurredFrom: span.from, occurredTo: span.to });
    else if (span) onChange(compact({ ...filter, period: undefined, ...span }));
  };
  return (
    <BarChart
      label={volumeLabel(data)}
      {...volumeChart(data.bars, clockWords)}
      height={HEIGHT}
      caption={<Total volume={data} named={filter.occurredFrom !== undefined || filter.occurredTo !== undefined} />}
      marks={marks}
      onBrush={zoom}
    />
  );
}

const noneWords = (filter: EventFilter): string =>
  hasTimeRange(filter)
    ? "No events in this time range."
    : isEmptyFilter(filter)
      ? "Nothing received yet."
      : "Nothing matches these filters.";

const TIMES = { received: "receipt", occurred: "occurrence" };

/** `named`: says which time the bars are of. */
const Total = ({ volume, named }: { volume: EventVolume; named: boolean }) => (
  <span aria-live="polite" className="min-w-0 truncate font-medium text-text">
    {totalWords(volume)}
    {failureWords(volume.bars)}
    <span className="font-normal text-faint max-rail:hidden">{`, ${durationWords(volume.stepSeconds * 1000)} per bar${named ? `, by ${TIMES[volume.by]}` : ""}`}</span>
  </span>
);

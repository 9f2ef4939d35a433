import { useQuery } from "@tanstack/react-query";
import { failureWords, useChartMarks, VOLUME_SERIES, volumeBars, volumeLabel } from "#components/records/volume-bars";
import { BarChart, ChartSkeleton, NoBars } from "#components/ui/charts/bar-chart";
import { durationWords, useClockWords } from "#components/ui/time-format";
import { periodOf, totalWords, volumeQuery } from "#lib/client/queries/event-volume";
import { compact } from "#lib/client/url-filter";
import type { EventFilter, EventVolume } from "#lib/contracts/events/events";

const HEIGHT = 84;

type VolumeChartProps = { filter: EventFilter; onChange: (filter: EventFilter) => void };

/** Shows how many events match, over time. Dragging zooms in; the time range menu does the same by keyboard. */
export function VolumeChart({ filter, onChange }: VolumeChartProps) {
  const { data } = useQuery(volumeQuery(filter));
  const clockWords = useClockWords((data?.stepSeconds ?? 60) < 60);
  const marks = useChartMarks(data?.bars);
  if (!data) return <ChartSkeleton height={HEIGHT} />;
  if (data.total === 0 && data.precision === "exact") return <NoBars height={HEIGHT}>No events in this time range.</NoBars>;
  const zoom = (first: number, last: number) => {
    const period = periodOf(data, first, last);
    if (period) onChange(compact({ ...filter, period: undefined, ...period }));
  };
  return (
    <BarChart
      label={volumeLabel(data)}
      series={VOLUME_SERIES}
      bars={volumeBars(data, clockWords)}
      height={HEIGHT}
      caption={<Total volume={data} byReceipt={filter.occurredFrom !== undefined || filter.occurredTo !== undefined} />}
      marks={marks}
      onBrush={zoom}
    />
  );
}

/** `byReceipt`: said where the list is filtered by another time than the bars'. */
const Total = ({ volume, byReceipt }: { volume: EventVolume; byReceipt: boolean }) => (
  <span aria-live="polite" className="min-w-0 truncate font-medium text-text">
    {totalWords(volume)}
    {failureWords(volume.bars)}
    <span className="font-normal text-faint max-rail:hidden">{`, ${durationWords(volume.stepSeconds * 1000)} per bar${byReceipt ? ", by receipt" : ""}`}</span>
  </span>
);

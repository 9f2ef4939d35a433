"use client";

import { useQuery } from "@tanstack/react-query";
import { useChartMarks } from "#components/records/use-chart-marks";
import { VOLUME_SERIES, volumeBars, volumeValues } from "#components/records/volume-bars";
import { BarChart, ChartSkeleton } from "#components/ui/charts/bar-chart";
import type { ChartBar } from "#components/ui/charts/chart-data";
import { type ChartSpan, RANGE_WORDS, RangePicker, useRange } from "#components/ui/charts/range-picker";
import { Section } from "#components/ui/layout/section";
import { durationWords } from "#components/ui/time/time-format";
import { useClockWords } from "#components/ui/time/use-exact-time";
import { totalWords, volumeQuery } from "#lib/client/queries/events/event-volume";
import { formatNumber } from "#lib/contracts/counts/format-count";
import type { Overview } from "#lib/contracts/overview";

export function Traffic({ perMinute }: { perMinute: Overview["perMinute"] }) {
  const { range, setRange } = useRange("1h");
  return range === "1h" ? (
    <LastHour perMinute={perMinute} setRange={setRange} />
  ) : (
    <LongRange key={range} range={range} setRange={setRange} />
  );
}

type SetRange = (range: ChartSpan) => void;

function LastHour({ perMinute, setRange }: { perMinute: Overview["perMinute"]; setRange: SetRange }) {
  const clockWords = useClockWords(false);
  const received = perMinute.reduce((sum, minute) => sum + minute.received, 0);
  const failed = perMinute.reduce((sum, minute) => sum + minute.failed, 0);
  const bars = perMinute.map(({ minute, received, failed }) => ({
    at: minute,
    label: clockWords(Date.parse(minute)),
    values: volumeValues(received, failed),
  }));
  const total = `${formatNumber(received)} received`;
  return <Chart range="1h" setRange={setRange} per="minute" total={total} failed={failed} bars={bars} />;
}

function LongRange({ range, setRange }: { range: ChartSpan; setRange: SetRange }) {
  const { data } = useQuery(volumeQuery({ period: range }));
  const clockWords = useClockWords(false);
  if (!data)
    return (
      <Section title={`Events, ${RANGE_WORDS[range]}`} actions={<RangePicker range={range} setRange={setRange} />}>
        <ChartSkeleton />
      </Section>
    );
  const failed = data.bars.reduce((sum, bar) => sum + bar.failed, 0);
  return (
    <Chart
      range={range}
      setRange={setRange}
      per={durationWords(data.stepSeconds * 1000)}
      total={totalWords(data)}
      failed={failed}
      bars={volumeBars(data, clockWords)}
    />
  );
}

type ChartProps = { range: ChartSpan; setRange: SetRange; per: string; total: string; failed: number; bars: ChartBar[] };

function Chart({ range, setRange, per, total, failed, bars }: ChartProps) {
  const marks = useChartMarks(bars);
  const words = `${total}, ${failed === 0 ? "none" : formatNumber(failed)} failed.`;
  return (
    <Section
      title={`Events per ${per}, ${RANGE_WORDS[range]}`}
      description={words}
      actions={<RangePicker range={range} setRange={setRange} />}
    >
      <BarChart label={`Events per ${per} over the ${RANGE_WORDS[range]}: ${words}`} series={VOLUME_SERIES} bars={bars} marks={marks} />
    </Section>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { BarChart, ChartSkeleton } from "#components/ui/charts/bar-chart";
import { RANGE_WORDS, RangePicker, useRange } from "#components/ui/charts/range-picker";
import { durationTicksTo } from "#components/ui/charts/ticks";
import { durationWords } from "#components/ui/time/time-format";
import { useClockWords } from "#components/ui/time/use-exact-time";
import { sourceDelayQuery } from "#lib/client/queries/auth/settings";
import type { SourceDelay } from "#lib/contracts/auth/settings";
import { countWords, formatNumber } from "#lib/contracts/counts/format-count";

const SERIES = [
  { label: "p50", hue: "accent" as const },
  { label: "p95", hue: "attention" as const },
];

/** Shows the delay from `created` to the receipt. */
export function SourceDelayChart({ id }: { id: string }) {
  const { range, setRange } = useRange("24h");
  const { data } = useQuery(sourceDelayQuery(id, range));
  return (
    <div className="flex flex-col gap-2 border-t border-line px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-13 font-medium">Delivery delay, {RANGE_WORDS[range]}</h3>
        <RangePicker range={range} setRange={setRange} />
      </div>
      {data ? <Delay delay={data} /> : <ChartSkeleton height={72} />}
      <p className="max-w-[80ch] text-12 text-muted">
        From the platform's <code>created</code> to our receipt. <code>created</code> has whole seconds, so a delay reads up to 1 s longer
        than it was.
      </p>
    </div>
  );
}

function Delay({ delay }: { delay: SourceDelay }) {
  const clockWords = useClockWords(false);
  const { p50Ms, p95Ms, events, complete, bars } = delay;
  if (p50Ms === null || p95Ms === null)
    return (
      <p className="text-13 text-muted">
        {complete ? "No events in this time." : "Reading the delay took too long. Choose a shorter range."}
      </p>
    );
  const words = `p50 ${durationWords(p50Ms)}, p95 ${durationWords(p95Ms)}`;
  return (
    <>
      <p className="text-13 tabular-nums" data-delay>
        {words}
        <span className="text-muted">
          {complete ? ` of ${countWords(events, "event")}` : ` of the newest ${formatNumber(events)} events`}
        </span>
      </p>
      <BarChart
        label={`Delivery delay: ${words}`}
        series={SERIES}
        bars={bars.map((bar) => ({ at: bar.at, label: clockWords(Date.parse(bar.at)), values: [bar.p50Ms, bar.p95Ms] }))}
        words={durationWords}
        ticksFor={durationTicksTo}
        lines
        height={72}
      />
    </>
  );
}

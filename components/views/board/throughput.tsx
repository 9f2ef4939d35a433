"use client";

import { BarChart, ChartSkeleton } from "#components/ui/charts/bar-chart";
import { type BarChartProps, type ChartHue, durationTicksTo } from "#components/ui/charts/chart-data";
import { RANGE_WORDS, RangePicker, useRange } from "#components/ui/charts/range-picker";
import { Section } from "#components/ui/layout/section";
import { durationWords, useClockWords } from "#components/ui/time-format";
import { useThroughput } from "#lib/client/queries/views";
import { formatNumber } from "#lib/contracts/format-count";
import type { PipelineThroughput } from "#lib/contracts/views";

export function Throughput({ id }: { id: string }) {
  const { range, setRange } = useRange("24h");
  const { data, isPlaceholderData } = useThroughput(id, range);
  const over = `over the ${RANGE_WORDS[range]}, by the platform's clock`;
  return (
    <div aria-busy={isPlaceholderData} className="flex flex-col gap-8">
      <Section
        title="Throughput"
        description={`Tasks that entered each stage ${over}. Counts moves that have this pipeline's ID.`}
        actions={<RangePicker range={range} setRange={setRange} />}
      >
        {data ? <Entered throughput={data} /> : <ChartSkeleton height={56} legend={false} />}
      </Section>
      <Section title="Time in stage" description={`How long tasks had been on a stage when they left it, ${over}: the median of each bar.`}>
        {data ? <Stays throughput={data} /> : <ChartSkeleton height={56} legend={false} />}
      </Section>
    </div>
  );
}

const GRID = "grid gap-x-6 gap-y-5 [grid-template-columns:repeat(auto-fill,minmax(min(100%,260px),1fr))]";

function Entered({ throughput }: { throughput: PipelineThroughput }) {
  const total = (counts: number[], what: string) => `${formatNumber(counts.reduce((sum, count) => sum + count, 0))} ${what}`;
  return (
    <div className={GRID}>
      {throughput.stages.map(({ name, arrived }) => (
        <Plot key={name} title={name} words={total(arrived, "entered")} what="entered" hue="working" of={throughput} values={arrived} />
      ))}
      <Plot
        title="Completed"
        words={total(throughput.completed, "completed")}
        what="completed"
        hue="fine"
        of={throughput}
        values={throughput.completed}
      />
    </div>
  );
}

function Stays({ throughput }: { throughput: PipelineThroughput }) {
  const left = throughput.stages.flatMap(({ name, stay, stays }) => (stay ? [{ name, stay, stays }] : []));
  if (left.length === 0) return <p className="text-13 text-muted">No task left a stage in this time.</p>;
  return (
    <div className={GRID}>
      {left.map(({ name, stay, stays }) => (
        <Plot
          key={name}
          title={name}
          words={`${formatNumber(stay.left)} left, p50 ${durationWords(stay.p50 * 1000)}, p95 ${durationWords(stay.p95 * 1000)}`}
          what="median"
          hue="accent"
          of={throughput}
          values={stays.map((seconds) => (seconds === null ? null : seconds * 1000))}
          format={{ words: durationWords, ticksFor: durationTicksTo, lines: true }}
        />
      ))}
    </div>
  );
}

type PlotProps = {
  title: string;
  words: string;
  what: string;
  hue: ChartHue;
  of: PipelineThroughput;
  values: (number | null)[];
  format?: Pick<BarChartProps, "words" | "ticksFor" | "lines">;
};

function Plot({ title, words, what, hue, of: { since, stepSeconds }, values, format = {} }: PlotProps) {
  const clockWords = useClockWords(false);
  const start = Date.parse(since);
  const bars = values.map((value, index) => {
    const at = start + index * stepSeconds * 1000;
    return { at: new Date(at).toISOString(), label: clockWords(at), values: [value] };
  });
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex items-baseline gap-2 text-13">
        <h3 className="min-w-0 truncate font-medium" title={title}>
          {title}
        </h3>
        <span className="shrink-0 text-12 text-muted tabular-nums">{words}</span>
      </div>
      <BarChart label={`${title}: ${words}`} series={[{ label: what, hue }]} bars={bars} legend={false} height={56} {...format} />
    </div>
  );
}

"use client";

import { BarChart } from "#components/ui/bar-chart";
import { formatNumber } from "#components/ui/count";
import { Section } from "#components/ui/section";
import { Skeleton } from "#components/ui/skeleton";
import { useThroughput } from "#lib/client/views";
import type { PipelineThroughput } from "#lib/contracts/views";

const HOUR_MS = 3_600_000;
const clock = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: "UTC" });

/** How many tasks came to each stage, and how many were completed, in each of the last 24 hours. */
export function Throughput({ id }: { id: string }) {
  const { data } = useThroughput(id);
  return (
    <Section
      title="Throughput"
      description="Tasks that came to each stage in each of the last 24 hours, by the platform's clock in UTC. Moves that name this pipeline are counted."
    >
      {data ? <Plots throughput={data} /> : <Skeleton className="h-24 w-full" />}
    </Section>
  );
}

function Plots({ throughput: { since, stages, completed } }: { throughput: PipelineThroughput }) {
  const start = Date.parse(since);
  return (
    <div className="grid gap-x-6 gap-y-5 [grid-template-columns:repeat(auto-fill,minmax(min(100%,260px),1fr))]">
      {stages.map(({ name, arrived }) => (
        <Plot key={name} title={name} what="came" hue="working" start={start} counts={arrived} />
      ))}
      <Plot title="Completed" what="completed" hue="fine" start={start} counts={completed} />
    </div>
  );
}

type PlotProps = { title: string; what: string; hue: "working" | "fine"; start: number; counts: number[] };

function Plot({ title, what, hue, start, counts }: PlotProps) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex items-baseline gap-2 text-13">
        <h3 className="min-w-0 truncate font-medium" title={title}>
          {title}
        </h3>
        <span className="shrink-0 text-12 text-muted tabular-nums">
          {formatNumber(total)} {what}
        </span>
      </div>
      <BarChart
        label={`${title}: ${total} ${what} in the last 24 hours`}
        series={[{ label: what, hue }]}
        bars={counts.map((count, index) => ({ label: clock.format(start + index * HOUR_MS), values: [count] }))}
        legend={false}
        height={56}
      />
    </div>
  );
}

"use client";

import { BarChart } from "#components/ui/bar-chart";
import { useNow } from "#components/ui/clock";
import { Section } from "#components/ui/section";
import { completedByHour } from "#components/views/board/stage-times";
import type { ViewRecord } from "#lib/contracts/views";

const HOUR_MS = 3_600_000;
const clock = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: "UTC" });

/** How many of the tasks on the board were completed in each of the last 24 hours. */
export function Throughput({ tasks }: { tasks: ViewRecord[] }) {
  const now = Math.floor(useNow() / HOUR_MS) * HOUR_MS;
  const hours = completedByHour(tasks, now);
  const total = hours.reduce((sum, { count }) => sum + count, 0);
  return (
    <Section
      title="Completed in the last 24 hours"
      description={total === 0 ? "None of the tasks on this board." : `${total} of the tasks on this board. Hours are in UTC.`}
    >
      {total === 0 ? null : (
        <BarChart
          label={`Tasks completed in each of the last 24 hours: ${total} in all`}
          series={[{ label: "Completed", hue: "fine" }]}
          bars={hours.map(({ hour, count }) => ({ label: clock.format(hour), values: [count] }))}
          legend={false}
          height={64}
        />
      )}
    </Section>
  );
}

import { BarChart } from "#components/ui/bar-chart";
import { formatNumber } from "#components/ui/count";
import { Section } from "#components/ui/section";
import type { Overview } from "#lib/contracts/overview";

const SERIES = [
  { label: "Applied or waiting", hue: "accent" as const },
  { label: "Failed", hue: "failed" as const },
];

/** Events a minute over the last hour. */
export function Traffic({ perMinute }: { perMinute: Overview["perMinute"] }) {
  const received = perMinute.reduce((sum, minute) => sum + minute.received, 0);
  const failed = perMinute.reduce((sum, minute) => sum + minute.failed, 0);
  const words = `${formatNumber(received)} received, ${failed === 0 ? "none" : formatNumber(failed)} failed.`;
  return (
    <Section title="The last hour, by the minute" description={words}>
      <BarChart
        label={`Events a minute over the last hour: ${words}`}
        series={SERIES}
        bars={perMinute.map((minute) => ({
          label: clock(minute.minute),
          values: [Math.max(0, minute.received - minute.failed), minute.failed],
        }))}
      />
    </Section>
  );
}

/** The server draws it in UTC, and says so at both ends. */
const clock = (iso: string) => `${new Date(iso).toISOString().slice(11, 16)} UTC`;

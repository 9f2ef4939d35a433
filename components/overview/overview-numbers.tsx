import { useQuery } from "@tanstack/react-query";
import { failureWords, useChartMarks, volumeChart } from "#components/records/volume-bars";
import { BarChart, ChartSkeleton, NoBars } from "#components/ui/charts/bar-chart";
import { type ChartSpan, RANGE_WORDS, RangePicker, useRange } from "#components/ui/charts/range-picker";
import { Panel, Section } from "#components/ui/layout/section";
import { Stat } from "#components/ui/layout/stat";
import { durationWords, useClockWords } from "#components/ui/time-format";
import { totalWords, volumeQuery } from "#lib/client/queries/event-volume";
import type { EventVolume } from "#lib/contracts/events/events";
import { cappedNumber, formatNumber } from "#lib/contracts/format-count";
import type { Overview } from "#lib/contracts/overview";

const HOUR_MS = 3_600_000;
const MAX_QUARANTINED = 10_000;
/** Longest lag that needs no attention. Milliseconds. */
const LAG_MS = 60_000;

/** "2 in Signalbox, 1 on the platform, 1 of destinations" */
function originHint({ processing, platform, forwarding }: Overview["openIssues"]): string {
  const words = `${processing} in Signalbox, ${platform} on the platform`;
  return forwarding === 0 ? words : `${words}, ${forwarding} of destinations`;
}

export function Numbers({ overview, now }: { overview: Overview; now: number }) {
  const { perMinute, pending, openIssues, quarantined, likelyGenuine, latency, lagMs } = overview;
  const open = openIssues.processing + openIssues.platform + openIssues.forwarding;
  const lastHour = encodeURIComponent(new Date(now - HOUR_MS).toISOString());
  const late = lagMs !== null && lagMs > LAG_MS;
  return (
    <Panel className="grid grid-cols-2 overflow-hidden bg-line [gap:1px] *:bg-surface sm:grid-cols-3 lg:grid-cols-6">
      {/* First what happened in the last hour, then what is so now. */}
      <Stat label="Events" value={formatNumber(receivedIn(perMinute))} hint="in the last hour" href={`/events?from=${lastHour}`} />
      <Stat label="Failure rate" {...rateOf(overview)} href={`/events?state=failed&from=${lastHour}`} />
      <Stat
        label="Received to applied"
        {...(latency.p50Ms === null ? { value: "–" } : amountOf(latency.p50Ms))}
        hint={latency.p95Ms === null ? "nothing applied in the last hour" : `p50 of the last hour; p95 ${durationWords(latency.p95Ms)}`}
        href={`/events?state=processed&from=${lastHour}`}
      />
      <Stat
        label="Lag"
        {...(lagMs === null ? { value: "None" } : amountOf(lagMs))}
        hint={pending === 0 ? "no events waiting" : `${cappedNumber(pending)} waiting to be applied`}
        href="/events?state=pending"
        tone={late ? "attention" : "plain"}
      />
      <Stat
        label="Open issues"
        value={cappedNumber(open)}
        hint={open === 0 ? "none open" : originHint(openIssues)}
        href="/issues"
        tone={openIssues.processing + openIssues.forwarding > 0 ? "failed" : open > 0 ? "attention" : "plain"}
      />
      <Stat
        label="Quarantined"
        value={cappedNumber(quarantined, MAX_QUARANTINED)}
        hint={quarantined === 0 ? "nothing to review" : "to review"}
        href="/quarantine"
        tone={likelyGenuine > 0 ? "attention" : "plain"}
      />
    </Panel>
  );
}

const receivedIn = (perMinute: Overview["perMinute"]): number => perMinute.reduce((sum, { received }) => sum + received, 0);

function rateOf({ perMinute }: Overview): { value: string; unit?: string; hint: string; tone: "plain" | "failed" } {
  const received = receivedIn(perMinute);
  const failed = perMinute.reduce((sum, minute) => sum + minute.failed, 0);
  const repaired = perMinute.reduce((sum, minute) => sum + minute.repaired, 0);
  if (received === 0) return { value: "–", hint: "no events in the last hour", tone: "plain" };
  const percent = (failed / received) * 100;
  const value = failed === 0 ? "0" : percent < 0.1 ? "under 0.1" : percent.toFixed(percent < 10 ? 1 : 0);
  return {
    value,
    unit: "%",
    hint: `${formatNumber(failed)} of ${formatNumber(received)} in the last hour${repaired > 0 ? `, ${formatNumber(repaired)} repaired` : ""}`,
    tone: failed > 0 ? "failed" : "plain",
  };
}

function amountOf(ms: number): { value: string; unit: string } {
  const [value = "–", unit = ""] = durationWords(ms).split(" ");
  return { value, unit };
}

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
  const received = receivedIn(perMinute);
  const counts = perMinute.map(({ minute, received, ...of }) => ({
    ...of,
    at: minute,
    count: received,
    everFailed: of.failed + of.repaired,
  }));
  const total = `${formatNumber(received)} received`;
  return <Chart range="1h" setRange={setRange} per="minute" total={total} counts={counts} clockWords={clockWords} />;
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
  return (
    <Chart
      range={range}
      setRange={setRange}
      per={durationWords(data.stepSeconds * 1000)}
      total={totalWords(data)}
      counts={data.bars}
      clockWords={clockWords}
    />
  );
}

type ChartProps = {
  range: ChartSpan;
  setRange: SetRange;
  per: string;
  total: string;
  counts: EventVolume["bars"];
  clockWords: (at: number) => string;
};

function Chart({ range, setRange, per, total, counts, clockWords }: ChartProps) {
  const marks = useChartMarks(counts);
  const isEmpty = counts.every(({ count }) => count === 0);
  const words = isEmpty ? "No events." : `${total}${failureWords(counts) || ", none failed"}.`;
  return (
    <Section
      title={`Events per ${per}, ${RANGE_WORDS[range]}`}
      description={words}
      actions={<RangePicker range={range} setRange={setRange} />}
    >
      {isEmpty ? (
        <NoBars>{`No events in the ${RANGE_WORDS[range]}.`}</NoBars>
      ) : (
        <BarChart label={`Events per ${per} over the ${RANGE_WORDS[range]}: ${words}`} {...volumeChart(counts, clockWords)} marks={marks} />
      )}
    </Section>
  );
}

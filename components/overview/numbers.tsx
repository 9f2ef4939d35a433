import { formatNumber } from "#components/ui/count";
import { Panel } from "#components/ui/panel";
import { Stat } from "#components/ui/stat";
import { durationWords } from "#components/ui/time-words";
import type { Overview } from "#lib/contracts/overview";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The API counts the events of a day up to 100,001. */
const MOST_EVENTS = 100_000;
/** Waiting longer than this is worth a look. */
const LAG_MS = 60_000;

/** Counts are capped at 1,001 by the API, but for the events of the day. */
const capped = (count: number) => (count > 1000 ? "1,000+" : formatNumber(count));

/** The numbers; each opens the list behind it. */
export function Numbers({ overview, now }: { overview: Overview; now: number }) {
  const { eventsToday, pending, openIssues, refusedToday, latency, lagMs } = overview;
  const open = openIssues.processing + openIssues.platform;
  const since = (ms: number) => new Date(now - ms).toISOString();
  const lastHour = encodeURIComponent(since(HOUR_MS));
  const late = lagMs !== null && lagMs > LAG_MS;
  return (
    <Panel className="grid grid-cols-2 overflow-hidden bg-line [gap:1px] *:bg-surface sm:grid-cols-3 lg:grid-cols-6">
      <Stat
        label="Events"
        value={eventsToday > MOST_EVENTS ? `${formatNumber(MOST_EVENTS)}+` : formatNumber(eventsToday)}
        hint="last 24 hours"
        href={`/events?from=${encodeURIComponent(since(DAY_MS))}`}
      />
      <Stat label="Failure rate" {...rateOf(overview)} href={`/events?status=failed&from=${lastHour}`} />
      <Stat
        label="Lag"
        {...(lagMs === null ? { value: "None" } : amountOf(lagMs))}
        hint={pending === 0 ? "nothing waits" : `${capped(pending)} wait to be applied`}
        href="/events?status=pending"
        tone={late ? "attention" : "plain"}
      />
      <Stat
        label="Open issues"
        value={capped(open)}
        hint={open === 0 ? "nothing fails unseen" : `${openIssues.processing} here, ${openIssues.platform} on the platform`}
        href="/failures"
        tone={openIssues.processing > 0 ? "failed" : open > 0 ? "attention" : "plain"}
      />
      <Stat
        label="Refused"
        value={capped(refusedToday)}
        hint="last 24 hours"
        href="/refused"
        tone={refusedToday > 0 ? "attention" : "plain"}
      />
      <Stat
        label="Received to applied"
        {...(latency.p50Ms === null ? { value: "–" } : amountOf(latency.p50Ms))}
        hint={latency.p95Ms === null ? "nothing applied in the last hour" : `p50; p95 ${durationWords(latency.p95Ms)}`}
        href={`/events?status=processed&from=${lastHour}`}
      />
    </Panel>
  );
}

/** Of the events of the last hour, how many stand failed. */
function rateOf({ perMinute }: Overview): { value: string; unit?: string; hint: string; tone: "plain" | "failed" } {
  const received = perMinute.reduce((sum, minute) => sum + minute.received, 0);
  const failed = perMinute.reduce((sum, minute) => sum + minute.failed, 0);
  if (received === 0) return { value: "–", hint: "no event in the last hour", tone: "plain" };
  const percent = (failed / received) * 100;
  const value = failed === 0 ? "0" : percent < 0.1 ? "under 0.1" : percent.toFixed(percent < 10 ? 1 : 0);
  return {
    value,
    unit: "%",
    hint: `${formatNumber(failed)} of ${formatNumber(received)} in the last hour`,
    tone: failed > 0 ? "failed" : "plain",
  };
}

function amountOf(ms: number): { value: string; unit: string } {
  const [value = "–", unit = ""] = durationWords(ms).split(" ");
  return { value, unit };
}

import { formatNumber } from "#components/ui/count";
import { Panel } from "#components/ui/panel";
import { Stat } from "#components/ui/stat";
import { durationWords } from "#components/ui/time-words";
import type { Overview } from "#lib/contracts/overview";

/** Counts are capped at 1,001 by the API, but for the events of the day. */
const capped = (count: number) => (count > 1000 ? "1,000+" : formatNumber(count));

/** The numbers of the last 24 hours; each opens the list behind it. */
export function Numbers({ overview }: { overview: Overview }) {
  const { eventsToday, pending, failures, platformFailures, refusedToday, latency } = overview;
  return (
    <Panel className="grid grid-cols-2 overflow-hidden bg-line [gap:1px] *:bg-surface sm:grid-cols-3 lg:grid-cols-6">
      <Stat label="Events" value={formatNumber(eventsToday)} hint="last 24 hours" href="/events" />
      <Stat label="Waiting" value={capped(pending)} hint="to be applied" href="/events?status=pending" />
      <Stat label="Failed" value={capped(failures)} hint="could not be applied" href="/failures" tone={failures > 0 ? "failed" : "plain"} />
      <Stat
        label="Reported failures"
        value={capped(platformFailures)}
        hint="by the platform"
        href="/failures"
        tone={platformFailures > 0 ? "attention" : "plain"}
      />
      <Stat
        label="Refused"
        value={capped(refusedToday)}
        hint="last 24 hours"
        href="/refused"
        tone={refusedToday > 0 ? "attention" : "plain"}
      />
      <Stat
        label="Latency p50"
        {...latencyOf(latency.p50Ms)}
        hint={latency.p95Ms === null ? "received to applied" : `p95 ${durationWords(latency.p95Ms)}`}
      />
    </Panel>
  );
}

function latencyOf(ms: number | null): { value: string; unit?: string } {
  if (ms === null) return { value: "–" };
  const [value = "–", unit = ""] = durationWords(ms).split(" ");
  return { value, unit };
}

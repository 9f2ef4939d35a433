import { BarChart } from "#components/ui/charts/bar-chart";
import { Section } from "#components/ui/layout/section";
import { Stat } from "#components/ui/layout/stat";
import { durationWords } from "#components/ui/time-format";
import { runDuration } from "#components/views/view-labels";
import { ViewTable } from "#components/views/view-table";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { ViewDetail, ViewRecord } from "#lib/contracts/views";

const SHOWN = 100;
const PLOTTED = 50;
const SLOTS = 24;

export function RunSection({ view }: { view: ViewDetail }) {
  if (view.kind !== "automation") return null;
  if (view.asOf !== null) {
    return (
      <Section title="Runs">
        <p className="text-13 text-muted">Runs are only listed for the latest state. Go back to latest to see them.</p>
      </Section>
    );
  }
  const runs = view.children;
  return (
    <Section title="Runs" {...(runs.length < SHOWN ? {} : { description: `The latest ${SHOWN} runs.` })}>
      {runs.length === 0 ? (
        <p className="text-13 text-muted">No runs yet.</p>
      ) : (
        <>
          <RunFigures runs={runs} />
          <RunDurations runs={runs} />
          <ViewTable kind="run" label="Runs" records={runs} />
        </>
      )}
    </Section>
  );
}

function RunDurations({ runs }: { runs: ViewRecord[] }) {
  const timed = runs.flatMap((run) => {
    const ms = runDuration(run);
    return ms === null ? [] : [{ run, ms }];
  });
  if (timed.length < 2) return null;
  const bars = timed
    .slice(0, PLOTTED)
    .reverse()
    .map(({ run, ms }) => ({ label: run.id, values: run.failed ? [0, Math.round(ms)] : [Math.round(ms), 0] }));
  // A few runs are aligned to the newest end instead of filling the width.
  const blanks = Array.from({ length: Math.max(0, SLOTS - bars.length) }, (_, slot) => ({ label: `empty ${slot}`, values: [0, 0] }));
  return (
    <BarChart
      label={`Duration of the latest ${countWords(bars.length, "run")}`}
      series={[
        { label: "Completed", hue: "fine" },
        { label: "Failed", hue: "failed" },
      ]}
      bars={[...blanks, ...bars]}
      ends={["older", "newest"]}
      words={durationWords}
      height={64}
    />
  );
}

function RunFigures({ runs }: { runs: ViewRecord[] }) {
  const ended = runs.filter(({ state }) => state === "completed" || state === "error");
  const failed = ended.filter(({ failed: has }) => has);
  const took = ended.flatMap((run) => runDuration(run) ?? []).sort((a, b) => a - b);
  const median = took[Math.floor((took.length - 1) / 2)];
  return (
    <div className="grid grid-cols-1 divide-line rounded-md border border-line max-rail:divide-y rail:grid-cols-3 rail:divide-x">
      <Stat
        label="Runs shown"
        value={runs.length}
        hint={runs.length === ended.length ? "All finished" : `${formatNumber(runs.length - ended.length)} running`}
      />
      <Stat
        label="Failure rate"
        value={ended.length === 0 ? "–" : `${Math.round((failed.length / ended.length) * 100)}%`}
        hint={
          ended.length === 0 ? "None finished yet" : `${formatNumber(failed.length)} of ${formatNumber(ended.length)} finished runs failed`
        }
        tone={failed.length > 0 ? "failed" : "plain"}
      />
      <Stat label="Median duration" value={median === undefined ? "–" : durationWords(median)} hint="Of the finished runs shown" />
    </div>
  );
}

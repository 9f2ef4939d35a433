"use client";

import { BarChart } from "#components/ui/bar-chart";
import { Section } from "#components/ui/section";
import { Stat } from "#components/ui/stat";
import { durationWords } from "#components/ui/time-words";
import { runDuration } from "#components/views/field-text";
import { ViewTable } from "#components/views/list/view-table";
import type { ViewDetail, ViewRecord } from "#lib/contracts/views";

const SHOWN = 100;
const PLOTTED = 50;
const SLOTS = 24;

/** An automation's runs, the newest first, with how often the shown ones failed and how long they took. */
export function RunSection({ view }: { view: ViewDetail }) {
  if (view.kind !== "automation") return null;
  if (view.asOf !== null) {
    return (
      <Section title="Runs">
        <p className="text-13 text-muted">Runs are listed for now only. Go back to now to see them.</p>
      </Section>
    );
  }
  const runs = view.children;
  return (
    <Section title="Runs" {...(runs.length < SHOWN ? {} : { description: `The ${SHOWN} newest runs.` })}>
      {runs.length === 0 ? (
        <p className="text-13 text-muted">No event has named a run of this automation.</p>
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

/** How long each of the newest runs took, oldest first; those that failed in their own hue. */
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
  // A few runs stand at the newest end instead of filling the width.
  const blanks = Array.from({ length: Math.max(0, SLOTS - bars.length) }, (_, slot) => ({ label: `empty ${slot}`, values: [0, 0] }));
  return (
    <BarChart
      label={`How long the newest ${bars.length} runs took`}
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
        hint={runs.length === ended.length ? "All have ended" : `${runs.length - ended.length} running`}
      />
      <Stat
        label="Failure rate"
        value={ended.length === 0 ? "–" : `${Math.round((failed.length / ended.length) * 100)}%`}
        hint={ended.length === 0 ? "None has ended yet" : `${failed.length} of ${ended.length} ended runs failed`}
        tone={failed.length > 0 ? "failed" : "plain"}
      />
      <Stat label="Median time" value={median === undefined ? "–" : durationWords(median)} hint="Of the ended runs shown" />
    </div>
  );
}

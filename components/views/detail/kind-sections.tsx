import { BarChart } from "#components/ui/charts/bar-chart";
import { Section } from "#components/ui/layout/section";
import { Stat } from "#components/ui/layout/stat";
import { cn } from "#components/ui/primitives/cn";
import { RelativeTime, useNow } from "#components/ui/relative-time";
import { durationWords, useExactWords } from "#components/ui/time-format";
import { runDuration } from "#components/views/view-labels";
import { ViewTable } from "#components/views/view-table";
import type { EventSummary } from "#lib/contracts/events/events";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { ViewDetail, ViewRecord } from "#lib/contracts/views";

const LOOKS: Record<Health, { word: string; fill: string; dot: string }> = {
  connected: { word: "Connected", fill: "fill-fine-mark", dot: "bg-fine-mark" },
  error: { word: "Error", fill: "fill-failed-mark", dot: "bg-failed-mark" },
  disconnected: { word: "Disconnected", fill: "fill-line-strong", dot: "bg-line-strong" },
};
const STATES = Object.keys(LOOKS) as Health[];
const WIDTH = 1000;
/** Keeps short spans visible. */
const NARROWEST = 4;

export function HealthSection({ view }: { view: ViewDetail }) {
  const now = useNow();
  if (view.kind !== "integration") return null;
  const spans = healthSpans(view.events, view.asOf === null ? now : Math.max(Date.parse(view.lastEventAt), 0));
  const first = spans[0];
  if (!first) return null;
  const share = healthyShare(spans);
  return (
    <Section title="Health over time">
      <figure className="flex flex-col gap-2">
        <HealthStrip spans={spans} />
        <figcaption className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-12 text-muted">
          <span>
            <RelativeTime at={new Date(first.from).toISOString()} />
          </span>
          <span className="flex flex-wrap gap-x-4 max-rail:order-last max-rail:basis-full">
            {STATES.map((state) => (
              <span key={state} className="flex items-center gap-1.5">
                <span aria-hidden className={cn("size-2 rounded-sm", LOOKS[state].dot)} />
                {LOOKS[state].word}
              </span>
            ))}
          </span>
          <span>{view.asOf === null ? "now" : "then"}</span>
        </figcaption>
        {share === null ? null : (
          <p suppressHydrationWarning className="text-13 text-muted">
            Connected for {Math.round(share * 100)}% of the time covered by its events.
          </p>
        )}
      </figure>
    </Section>
  );
}

function HealthStrip({ spans }: { spans: HealthSpan[] }) {
  const exactWords = useExactWords();
  const from = spans[0]?.from ?? 0;
  const whole = Math.max(1, (spans.at(-1)?.until ?? from) - from);
  const place = (at: number) => ((at - from) / whole) * WIDTH;
  return (
    <svg role="img" viewBox={`0 0 ${WIDTH} 24`} preserveAspectRatio="none" className="block h-6 w-full rounded-sm" suppressHydrationWarning>
      <title suppressHydrationWarning>{`Health over ${durationWords(whole)}: ${countWords(spans.length, "span")}`}</title>
      {spans.map((span) => (
        <rect
          key={`${span.state} ${span.from}`}
          x={place(span.from)}
          width={Math.max(NARROWEST, place(span.until) - place(span.from))}
          height={24}
          className={LOOKS[span.state].fill}
          suppressHydrationWarning
        >
          <title suppressHydrationWarning>
            {`${LOOKS[span.state].word} for ${durationWords(span.until - span.from)}, from ${exactWords(span.from)}`}
          </title>
        </rect>
      ))}
    </svg>
  );
}

const STATE_BY_TYPE: Record<string, Health> = {
  "integration.connected": "connected",
  "integration.token_refresh": "connected",
  "integration.error": "error",
  "integration.disconnected": "disconnected",
};

type Health = "connected" | "error" | "disconnected";

/** `from` and `until` are in Unix milliseconds. */
type HealthSpan = { state: Health; from: number; until: number };

/** Returns spans of equal health, oldest first, from the first event that sets it until now. */
export function healthSpans(events: EventSummary[], now: number): HealthSpan[] {
  const states = events
    .flatMap(({ type, created }) => {
      const state = Object.hasOwn(STATE_BY_TYPE, type) ? STATE_BY_TYPE[type] : undefined;
      return state ? [{ state, from: Date.parse(created) }] : [];
    })
    .filter(({ from }) => from <= now)
    .sort((a, b) => a.from - b.from);
  const changes = states.filter(({ state }, index) => index === 0 || states[index - 1]?.state !== state);
  return changes.map((change, index) => ({ ...change, until: changes[index + 1]?.from ?? now }));
}

/** Returns the share of the time spent connected, 0 to 1; null if the spans have no length. */
export function healthyShare(spans: HealthSpan[]): number | null {
  const length = (all: HealthSpan[]) => all.reduce((sum, { from, until }) => sum + until - from, 0);
  const whole = length(spans);
  return whole === 0 ? null : length(spans.filter(({ state }) => state === "connected")) / whole;
}

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

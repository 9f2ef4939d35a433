import { Section } from "#components/ui/layout/section";
import { cn } from "#components/ui/primitives/cn";
import { RelativeTime, useNow } from "#components/ui/relative-time";
import { durationWords, useExactWords } from "#components/ui/time-format";
import type { EventSummary } from "#lib/contracts/events/events";
import { countWords } from "#lib/contracts/format-count";
import type { ViewDetail } from "#lib/contracts/views";

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

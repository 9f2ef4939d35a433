import { LoadingState } from "#components/ui/layout/content-states";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { StateIcon } from "#components/ui/primitives/badge";
import { cn } from "#components/ui/primitives/cn";
import { TextLink } from "#components/ui/primitives/page-link";
import { useHydrated } from "#components/ui/primitives/use-hydrated";
import { useNow } from "#components/ui/relative-time";
import { durationWords, useExactWords } from "#components/ui/time-format";
import { useEventDeliveries } from "#lib/client/queries/event-deliveries";
import type { EventDetail } from "#lib/contracts/events/events";
import type { Delivery } from "#lib/contracts/forwarding/deliveries";
import { lateWords, longestLate, partsOf, type TimedEvent, type TimingSpan } from "./event-steps.tsx";

export function Timing({ event }: { event: EventDetail }) {
  const { data: deliveries = [] } = useEventDeliveries(event.id);
  const now = useNow();
  const hydrated = useHydrated();
  const { spans, summary } = timingOf(event, deliveries, now);
  // A span that has not ended is longer in the browser than it was on the server: hydration would fail.
  if (!hydrated) return <LoadingState what="the timing" rows={3} />;
  const start = Math.min(...spans.map(({ from }) => from));
  const length = Math.max(1, ...spans.map(({ to }) => to - start));
  return (
    <div className="flex flex-col gap-3">
      {/* A delay that is over is shown below the steps already. */}
      {lateWords(event, deliveries) === null ? <p className="text-13">{summary}</p> : null}
      <Table label="Timing">
        <TableHead>
          <HeadCell>Step</HeadCell>
          <HeadCell className="w-1/2 max-[560px]:hidden">Timeline</HeadCell>
          <HeadCell align="right">Began</HeadCell>
          <HeadCell align="right">Took</HeadCell>
        </TableHead>
        <TableBody>
          {spans.map((span) => (
            <SpanRow key={span.key} span={span} start={start} length={length} />
          ))}
        </TableBody>
      </Table>
      <p className="text-12 text-muted">
        The sender's clock may have whole seconds, and may differ from this server's.
        {event.traceUrl === null ? null : (
          <>
            {" "}
            The times of verification and of the commit are in the <TextLink href={event.traceUrl}>trace</TextLink>.
          </>
        )}
      </p>
    </div>
  );
}

const BAR: Partial<Record<TimingSpan["state"], string>> = {
  fine: "bg-fine-mark",
  working: "bg-working-mark",
  attention: "bg-attention-mark",
  failed: "bg-failed-mark",
};

function SpanRow({ span: { label, state, from, to, lasts }, start, length }: { span: TimingSpan; start: number; length: number }) {
  const exactWords = useExactWords();
  const percent = (ms: number) => `${(100 * ms) / length}%`;
  return (
    <Row>
      <Cell className="max-w-48">
        <span className="flex items-center gap-2">
          <StateIcon state={state} />
          <span className="truncate" title={label}>
            {label}
          </span>
        </span>
      </Cell>
      <Cell className="max-[560px]:hidden">
        <span aria-hidden className="relative block h-3 rounded-sm bg-hover">
          <span
            className={cn("absolute top-0 h-full min-w-0.5 rounded-sm bg-line-control", BAR[state])}
            style={{ left: `min(${percent(from - start)}, calc(100% - 2px))`, width: percent(Math.max(0, to - from)) }}
          />
        </span>
      </Cell>
      <Cell align="right" className="text-muted" title={exactWords(from)}>
        {from === start ? "0 ms" : `+${durationWords(from - start)}`}
      </Cell>
      <Cell align="right" title={lasts ? undefined : `until ${exactWords(to)}`}>
        {durationWords(Math.max(0, to - from))}
        {lasts ? " so far" : ""}
      </Cell>
    </Row>
  );
}

type EventTiming = {
  spans: TimingSpan[];
  /** The longest part over its limit and the reason, in one sentence; the total time if none was late. */
  summary: string;
};

/** Returns where an event's time went: on the way here, in Signalbox, to each destination. `now` is in milliseconds since 1970. */
export function timingOf(event: TimedEvent, deliveries: Delivery[], now: number): EventTiming {
  const parts = partsOf(event, deliveries).map((part) => ({ ...part, to: part.to ?? now, lasts: part.to === null }));
  const spans = parts.map(({ limitMs: _limitMs, words: _words, ...span }) => span);
  return { spans, summary: longestLate(parts) ?? promptWords(event, deliveries) };
}

function promptWords({ receivedAt, appliedAt, state }: TimedEvent, deliveries: Delivery[]): string {
  if (appliedAt === null && state === "failed") return "It could not be applied.";
  if (appliedAt === null && state === "pending") return "It is waiting for the worker.";
  const received = Date.parse(receivedAt);
  const applying = `No delays: applied ${durationWords(Date.parse(appliedAt ?? receivedAt) - received)} after it was received`;
  const last = Math.max(0, ...deliveries.flatMap(({ finishedAt }) => (finishedAt === null ? [] : [Date.parse(finishedAt)])));
  return last > received ? `${applying}, delivered after ${durationWords(last - received)}.` : `${applying}.`;
}

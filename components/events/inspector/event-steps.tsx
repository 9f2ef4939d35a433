import { DELIVERY_LOOKS } from "#components/records/delivery-looks";
import { shortId } from "#components/records/resource-id";
import { type Step, Stepper } from "#components/ui/lists/timeline";
import type { State } from "#components/ui/primitives/badge";
import { RelativeTime } from "#components/ui/relative-time";
import { durationWords } from "#components/ui/time-format";
import { useEventDeliveries } from "#lib/client/queries/event-deliveries";
import { asSentence } from "#lib/contracts/as-sentence";
import { isBackDated } from "#lib/contracts/events/back-dated";
import type { EventDetail } from "#lib/contracts/events/events";
import { countWords, formatNumber } from "#lib/contracts/format-count";
import type { Delivery } from "#lib/contracts/forwarding/deliveries";
import { isOpenDelivery } from "#lib/contracts/forwarding/delivery-states";

const FORM_WORDS: Record<EventDetail["verification"]["form"], string> = {
  raw: "raw body",
  reserialized: "re-serialized JSON",
  signed: "signed content",
  signed_late: "signed content, late",
  partly_signed: "signed fields",
  token: "token",
  network: "network",
  released: "released from quarantine",
};

export function EventSteps({ event }: { event: EventDetail }) {
  const { data: deliveries = [] } = useEventDeliveries(event.id);
  const late = lateWords(event, deliveries);
  return (
    <div className="flex flex-col gap-2">
      <Stepper label="Event timeline" steps={[...stepsOf(event), ...forwardedStep(event, deliveries)]} />
      {late === null ? null : <p className="text-13 text-muted">{late}</p>}
    </div>
  );
}

/** Returns the step of an event's deliveries, one for each destination, or none. What no one sends is not on its way. */
export function forwardedStep({ appliedAt }: Pick<EventDetail, "appliedAt">, deliveries: Delivery[]): Step[] {
  if (deliveries.length === 0) return [];
  const delivered = deliveries.filter(({ state }) => state === "delivered").length;
  const words = `${formatNumber(delivered)} of ${formatNumber(deliveries.length)} delivered`;
  if (deliveries.some(({ state }) => state === "exhausted")) return [{ label: "Not forwarded", state: "failed", at: words }];
  const open = deliveries.filter(({ state }) => isOpenDelivery(state));
  if (open.some(({ state }) => state !== "held")) return [{ label: "Forwarding", state: "working", at: words }];
  if (open.length > 0) return [{ label: "Held", state: "neutral", at: words }];
  if (delivered === 0) return [{ label: "Not forwarded", state: "neutral", at: words }];
  const last = deliveries
    .flatMap(({ state, finishedAt }) => (state === "delivered" && finishedAt !== null ? finishedAt : []))
    .sort()
    .at(-1);
  const duration = appliedAt !== null && last !== undefined ? took(appliedAt, last, 0) : {};
  return [{ label: "Forwarded", state: "fine", at: words, ...duration }];
}

function stepsOf(event: EventDetail): Step[] {
  const { form, secretId } = event.verification;
  return [
    { label: "Occurred", state: "fine", at: <RelativeTime at={event.created} /> },
    {
      label: "Received",
      state: "fine",
      at: <RelativeTime at={event.receivedAt} />,
      ...(isBackDated(event.headers) ? {} : took(event.created, event.receivedAt, 1000)),
    },
    {
      label: "Verified",
      state: "fine",
      at: (
        <span title={secretId}>
          {FORM_WORDS[form]}
          <span className="block truncate font-mono">{shortId(secretId, 12)}</span>
        </span>
      ),
    },
    { label: "Stored", state: "fine", at: "committed" },
    lastStep(event),
  ];
}

function lastStep(event: EventDetail): Step {
  if (event.state === "failed")
    return { label: "Not applied", state: "failed", at: `after ${countWords(event.attempts.length, "attempt")}` };
  if (event.state === "pending") {
    const tried = event.attempts.length > 0;
    return {
      label: tried ? "Retrying" : "Waiting to be applied",
      state: "working",
      ...(tried && { at: `after ${countWords(event.attempts.length, "attempt")}` }),
    };
  }
  if (event.appliedAt === null) return { label: "Applied", state: event.state === "unrecognised" ? "attention" : "fine" };
  return {
    label: event.state === "unrecognised" ? "Applied to no record" : "Applied",
    state: event.state === "unrecognised" ? "attention" : "fine",
    at: <RelativeTime at={event.appliedAt} />,
    ...took(event.receivedAt, event.appliedAt, 0),
  };
}

/** Returns a step's duration, none below `grain` ms: the sender's clock may be in whole seconds, and differs from ours. */
function took(from: string, to: string, grain: number): { took?: string } {
  const ms = Date.parse(to) - Date.parse(from);
  if (Number.isNaN(ms) || ms < -grain) return {};
  return { took: ms < grain ? `under ${durationWords(grain)}` : durationWords(ms) };
}

/** Part of an event's path. Times in milliseconds since 1970; `to` is now while the part lasts. */
export type TimingSpan = { key: string; label: string; state: State; from: number; to: number; lasts: boolean };

/** `to` is null while it lasts; above `limitMs` it is late, and `words` says so. */
type Part = Pick<TimingSpan, "key" | "label" | "state" | "from"> & { to: number | null; limitMs: number; words: (ms: number) => string };

/** A sender's time may have whole seconds, and its clock differs from ours. */
const SENDER_GRAIN_MS = 2000;
const LATE_MS = { sender: 60_000, applied: 5_000, delivered: 10_000 };

export type TimedEvent = Pick<
  EventDetail,
  "source" | "created" | "receivedAt" | "appliedAt" | "state" | "attempts" | "verification" | "headers"
>;

/** Returns which finished part was late and why, or null. Only finished parts, so that it doesn't change while someone reads it. */
export function lateWords(event: TimedEvent, deliveries: Delivery[]): string | null {
  return longestLate(partsOf(event, deliveries).flatMap(({ to, ...part }) => (to === null ? [] : [{ ...part, to }])));
}

export function longestLate(parts: (Part & { to: number })[]): string | null {
  const timed = parts.map((part) => ({ ...part, ms: part.to - part.from }));
  const [longest] = timed.filter(({ ms, limitMs }) => ms > limitMs).sort((one, other) => other.ms - one.ms);
  return longest?.words(longest.ms) ?? null;
}

export function partsOf(event: TimedEvent, deliveries: Delivery[]): Part[] {
  return [...senderPart(event), appliedPart(event), ...deliveries.map(deliveryPart)];
}

function senderPart({ source, created, receivedAt, headers }: TimedEvent): Part[] {
  const [from, to] = [Date.parse(created), Date.parse(receivedAt)];
  if (Number.isNaN(from) || to - from < SENDER_GRAIN_MS || isBackDated(headers)) return [];
  const words = (ms: number) => `Sent by ${source} ${durationWords(ms)} after it happened.`;
  return [{ key: "sender", label: `From ${source}`, state: "neutral", from, to, limitMs: LATE_MS.sender, words }];
}

function appliedPart(event: TimedEvent): Part {
  const { receivedAt, appliedAt, state, verification } = event;
  const from = Date.parse(receivedAt);
  const to = appliedAt !== null ? Date.parse(appliedAt) : state === "pending" || state === "failed" ? null : from;
  return {
    key: "applied",
    label: verification.form === "released" ? "In quarantine, then applied" : "Stored and applied",
    state: appliedAt !== null ? "fine" : state === "failed" ? "failed" : "working",
    from,
    to,
    limitMs: LATE_MS.applied,
    words: (ms) => appliedWords(event, ms),
  };
}

function deliveryPart(delivery: Delivery): Part {
  const { id, destination, state, createdAt, finishedAt } = delivery;
  const from = Date.parse(createdAt);
  const to = finishedAt !== null ? Date.parse(finishedAt) : isOpenDelivery(state) ? null : from;
  const words = (ms: number) => deliveryWords(delivery, ms);
  return { key: id, label: `To ${destination.name}`, state: DELIVERY_LOOKS[state][0], from, to, limitMs: LATE_MS.delivered, words };
}

function appliedWords({ appliedAt, state, attempts, verification }: TimedEvent, ms: number): string {
  const [duration, tries] = [durationWords(ms), attempts.length];
  if (appliedAt === null && state === "failed")
    return `It has not been applied since it was received ${duration} ago: ${countWords(tries, "attempt")} failed.`;
  if (appliedAt === null) return `It has been waiting for the worker for ${duration}.`;
  if (verification.form === "released") return `It was in quarantine: applied ${duration} after it was received.`;
  return tries > 1
    ? `It was applied ${duration} after it was received, at the ${ordinal(attempts.findIndex(({ outcome }) => outcome === "applied") + 1)} attempt.`
    : `It waited ${duration} for the worker.`;
}

function deliveryWords({ destination: { name }, state, attempts, last }: Delivery, ms: number): string {
  const duration = durationWords(ms);
  if (state === "exhausted" && last?.outcome === "filter_too_costly") return asSentence(`It was not sent to ${name}: ${last.detail}`);
  if (state === "delivered")
    return attempts > 1
      ? `${name} accepted it after ${countWords(attempts, "attempt")} and ${duration}.`
      : `It waited ${duration} to be sent to ${name}.`;
  if (state === "exhausted") return `${name} did not accept it: ${countWords(attempts, "attempt")} in ${duration}.`;
  if (state === "held") return `It has been held for ${duration}: ${name} is paused or suspended.`;
  return `${name} has not accepted it yet: ${countWords(attempts, "attempt")} in ${duration}.`;
}

const ordinal = (n: number): string => ({ 1: "first", 2: "second", 3: "third" })[n] ?? `${n}${SUFFIXES[ORDINALS.select(n)] ?? "th"}`;

const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });
const SUFFIXES: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };

import type { State } from "#components/ui/feedback/state-icon";
import { durationWords } from "#components/ui/time/time-format";
import type { EventDetail } from "#lib/contracts/events/events";
import type { Delivery } from "#lib/contracts/forwarding/deliveries";

/** A part of an event's way. Times in milliseconds since 1970; `to` is now while the part lasts. */
export type TimingSpan = { key: string; label: string; state: State; from: number; to: number; lasts: boolean };

export type EventTiming = {
  /** In the order of their beginning. */
  spans: TimingSpan[];
  /** Which part was late and why, in one sentence; what it took altogether where none was. */
  summary: string;
  late: boolean;
};

/** The platform's `created` has whole seconds, and its clock is not ours. */
const PLATFORM_GRAIN_MS = 2000;
const LATE_MS = { platform: 60_000, applied: 5_000, delivered: 10_000 };

type TimedEvent = Pick<EventDetail, "created" | "receivedAt" | "appliedAt" | "state" | "attempts" | "verification">;

/** Where an event's time went: on its way here, in Signalbox, on its way to each destination. @param now milliseconds since 1970 */
export function timingOf(event: TimedEvent, deliveries: Delivery[], now: number): EventTiming {
  const received = Date.parse(event.receivedAt);
  const platform = platformSpan(event, received);
  const applied = appliedSpan(event, received, now);
  const delivered = deliveries.map((delivery) => [deliverySpan(delivery, now), delivery] as const);
  const spans = [...(platform ? [platform] : []), applied, ...delivered.map(([span]) => span)];
  const late = [
    ...(platform && took(platform) > LATE_MS.platform
      ? [{ span: platform, words: `The platform sent it ${durationWords(took(platform))} after it happened.` }]
      : []),
    ...(took(applied) > LATE_MS.applied ? [{ span: applied, words: appliedWords(event, took(applied)) }] : []),
    ...delivered.flatMap(([span, delivery]) =>
      took(span) > LATE_MS.delivered ? [{ span, words: deliveryWords(delivery, took(span)) }] : [],
    ),
  ].sort((one, other) => took(other.span) - took(one.span));
  return { spans, summary: late[0]?.words ?? promptWords(event, applied, deliveries), late: late.length > 0 };
}

const took = ({ from, to }: TimingSpan): number => Math.max(0, to - from);

function platformSpan({ created }: TimedEvent, received: number): TimingSpan | null {
  const from = Date.parse(created);
  if (Number.isNaN(from) || received - from < PLATFORM_GRAIN_MS) return null;
  return { key: "platform", label: "From the platform", state: "neutral", from, to: received, lasts: false };
}

function appliedSpan({ appliedAt, state, verification }: TimedEvent, from: number, now: number): TimingSpan {
  const label = verification.form === "released" ? "In quarantine, then applied" : "Stored and applied";
  if (appliedAt !== null) return { key: "applied", label, state: "fine", from, to: Date.parse(appliedAt), lasts: false };
  const waits = state === "pending" || state === "failed";
  return { key: "applied", label, state: state === "failed" ? "failed" : "working", from, to: waits ? now : from, lasts: waits };
}

/** Of each state: how it looks, and whether the delivery goes on. */
const DELIVERY: Record<Delivery["state"], readonly [State, boolean]> = {
  delivered: ["fine", false],
  waiting: ["working", true],
  retrying: ["attention", true],
  held: ["attention", true],
  exhausted: ["failed", false],
  skipped: ["neutral", false],
  cancelled: ["neutral", false],
};

function deliverySpan({ id, destination, state, createdAt, finishedAt }: Delivery, now: number): TimingSpan {
  const [look, lasts] = DELIVERY[state];
  const from = Date.parse(createdAt);
  const to = finishedAt !== null ? Date.parse(finishedAt) : lasts ? now : from;
  return { key: id, label: `To ${destination.name}`, state: look, from, to, lasts };
}

function appliedWords({ appliedAt, state, attempts, verification }: TimedEvent, ms: number): string {
  const [duration, tries] = [durationWords(ms), attempts.length];
  if (appliedAt === null && state === "failed")
    return `It has not been applied since it was received ${duration} ago: ${triesWords(tries)} failed.`;
  if (appliedAt === null) return `It has been waiting for the worker for ${duration}.`;
  if (verification.form === "released") return `It was in quarantine: applied ${duration} after it was received.`;
  return tries > 1
    ? `It was applied ${duration} after it was received, at the ${ordinal(attempts.findIndex(({ outcome }) => outcome === "applied") + 1)} attempt.`
    : `It waited ${duration} for the worker.`;
}

function deliveryWords({ destination: { name }, state, attempts }: Delivery, ms: number): string {
  const duration = durationWords(ms);
  if (state === "delivered")
    return attempts > 1
      ? `${name} accepted it after ${attempts} attempts and ${duration}.`
      : `It waited ${duration} to be sent to ${name}.`;
  if (state === "exhausted") return `${name} did not accept it: ${triesWords(attempts)} in ${duration}.`;
  if (state === "held") return `It has been held for ${duration}: ${name} is paused or suspended.`;
  return `${name} has not accepted it yet: ${triesWords(attempts)} in ${duration}.`;
}

function promptWords({ state }: TimedEvent, applied: TimingSpan, deliveries: Delivery[]): string {
  if (applied.lasts) return state === "failed" ? "It could not be applied." : "It is waiting for the worker.";
  const last = Math.max(0, ...deliveries.flatMap(({ finishedAt }) => (finishedAt === null ? [] : [Date.parse(finishedAt)])));
  const applying = `Nothing was late: applied ${durationWords(took(applied))} after it was received`;
  return last > applied.from ? `${applying}, delivered after ${durationWords(last - applied.from)}.` : `${applying}.`;
}

const triesWords = (count: number): string => (count === 1 ? "1 attempt" : `${count} attempts`);
const ordinal = (n: number): string => ({ 1: "first", 2: "second", 3: "third" })[n] ?? `${n}th`;

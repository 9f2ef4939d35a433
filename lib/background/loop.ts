import { setTimeout as sleep } from "node:timers/promises";
import { type Channel, listen } from "#lib/db/notify/listen";
import { logger } from "#lib/observability/logger";
import { forgetRounds, noteRound } from "./progress.ts";

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

/**
 * Runs something until it is stopped, and starts it again, ever
 * more slowly, when it throws.
 *
 * @param work returns when the signal is aborted
 * @returns a promise that settles when the work has ended after the abort
 */
export async function keepRunning(name: string, work: LoopRun, signal: AbortSignal): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const since = performance.now();
    try {
      await work(signal, () => noteRound(name));
      if (signal.aborted) return;
      throw new Error("the loop ended unexpectedly");
    } catch (error) {
      forgetRounds(name);
      if (signal.aborted) return;
      if (performance.now() - since > MAX_PAUSE_MS) pause = FIRST_PAUSE_MS;
      logger().error({ loop: name, err: error, againInMs: pause }, "a background loop failed");
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    }
  }
}

/** Function of a loop, given when to end and what to call when a round begins (`hangingLoops` watches how long it lasts). */
export type LoopRun = (signal: AbortSignal, round?: () => void) => Promise<void>;

/**
 * A loop that does one thing at an interval. The pause is counted from the end
 * of one round to the start of the next; rounds never overlap.
 */
export function every(intervalMs: number, work: (signal: AbortSignal) => Promise<unknown>): LoopRun {
  return async (signal, round = () => {}) => {
    while (!signal.aborted) {
      round();
      await work(signal);
      round();
      await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  };
}

/**
 * A loop that works round after round while there is work, and looks again after a rest.
 *
 * @param idleMs the rest after a round that found nothing, in milliseconds
 * @param work one round; returns whether more may wait
 */
export function polling(idleMs: number, work: () => Promise<boolean>): LoopRun {
  return async (signal, round = () => {}) => {
    while (!signal.aborted) {
      round();
      if (!(await work())) await sleep(idleMs, undefined, { signal }).catch(() => undefined);
    }
  };
}

/**
 * A loop that works round after round while there is work, and then rests until
 * the channel is notified. A notification during a round is not missed.
 *
 * @param idleMs without a notification the next round begins after so long, in milliseconds
 * @param work one round; returns whether more may wait
 */
export function onNotification(channel: Channel, idleMs: number, work: () => Promise<boolean>): LoopRun {
  return async (signal, round = () => {}) => {
    let bell = new AbortController();
    const ring = () => bell.abort();
    const stopListening = listen(channel, ring);
    signal.addEventListener("abort", ring, { once: true });
    while (!signal.aborted) {
      bell = new AbortController();
      round();
      if (await work()) continue;
      await sleep(idleMs, undefined, { signal: bell.signal }).catch(() => undefined);
    }
    stopListening();
  };
}

import { setTimeout as sleep } from "node:timers/promises";
import { type Channel, listen } from "#lib/db/notifications";
import { logger } from "#lib/observability/logger";

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

/** Runs `work` until the signal aborts, and restarts it, ever more slowly (up to 30 s), when it throws or ends early. */
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

/** `round` is called as each round begins: `hangingLoops` watches how long it lasts. */
export type LoopRun = (signal: AbortSignal, round?: () => void) => Promise<void>;

/** Repeats `work`. The pause is counted from the end of a round to the start of the next, so rounds never overlap. */
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

/** Repeats `work` at once while it returns true, and after `idleMs` when there was nothing to do. */
export function polling(idleMs: number, work: () => Promise<boolean>): LoopRun {
  return async (signal, round = () => {}) => {
    while (!signal.aborted) {
      round();
      if (!(await work())) await sleep(idleMs, undefined, { signal }).catch(() => undefined);
    }
  };
}

/** Works as `polling`, but a notification ends the rest early; one that comes during a round is not missed. */
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

/** A batch is some 15 statements of at most 30 s: a lower limit would end a worker for a slow database. Milliseconds. */
const ROUND_LIMIT_MS = 600_000;

const rounds = new Map<string, number>();

export function noteRound(loop: string, now = performance.now()): void {
  rounds.set(loop, now);
}

/** Stops timing a loop that has ended, or rests after an error. */
export function forgetRounds(loop: string): void {
  rounds.delete(loop);
}

export const hangingLoops = (now = performance.now()): string[] =>
  [...rounds].filter(([, since]) => now - since > ROUND_LIMIT_MS).map(([loop]) => loop);

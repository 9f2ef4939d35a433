import { setTimeout as sleep } from "node:timers/promises";
import { logger } from "#lib/observability/logger";

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Runs something that runs until it is told to stop, and starts it again, ever
 * more slowly, when it throws.
 *
 * @param work returns when the signal is aborted
 * @returns a promise that settles when the work has ended after the abort
 */
export async function keepRunning(name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const since = Date.now();
    try {
      await work(signal);
      if (signal.aborted) return;
      throw new Error("it ended by itself");
    } catch (error) {
      if (signal.aborted) return;
      if (Date.now() - since > LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS;
      logger().error({ loop: name, err: error, againInMs: pause }, "a background loop failed");
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }
}

/**
 * A loop that does one thing at an interval. The pause is counted from the end
 * of one round to the begin of the next; rounds never overlap.
 */
export function every(intervalMs: number, work: () => Promise<unknown>): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    while (!signal.aborted) {
      await work();
      await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  };
}

import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "#lib/observability/error-code";

/** True for the error of a statement that waited for a lock as long as `lock_timeout` allows. */
export const isLockBusy = (error: unknown): boolean => codeOf(error) === "55P03";

const TRIES = 10;
const PAUSE_MS = 500;

/**
 * Tries work again that found a lock taken. The work sets a short `lock_timeout` itself, so that nobody queues up
 * behind it for long; between two tries whoever queued up goes on.
 *
 * @param tries how often at the most
 * @param pauseMs the rest between two tries, in milliseconds
 * @throws the last try's error
 */
export async function retryWhileBusy<T>(work: () => Promise<T>, { tries = TRIES, pauseMs = PAUSE_MS } = {}): Promise<T> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLockBusy(error) || left <= 0) throw error;
      await sleep(pauseMs);
    }
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "#lib/observability/error-code";

/** True if a statement waited for a lock as long as `lock_timeout` allows. */
export const isLockBusy = (error: unknown): boolean => codeOf(error) === "55P03";

const TRIES = 10;
const PAUSE_MS = 500;

/** Retries work that found a lock taken. It sets a short `lock_timeout` itself, so that the queue behind it moves on between tries. */
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

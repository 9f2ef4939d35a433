import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "#lib/contracts/api/app-error";
import { logger } from "#lib/observability/logger";
import { inTime } from "#lib/time/in-time";

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2000;
/** A silent database counts as one that failed. */
const ATTEMPT_MS = 10_000;

type Options = {
  mayGiveUp: () => boolean;
  /** Runs after each failure; its own failure is ignored. */
  between?: () => Promise<unknown>;
};

/** Repeats a write until it succeeds or may give up. The write must bear repetition: it may have been committed unnoticed. */
export async function retryWrite<T>(write: () => Promise<T>, { mayGiveUp, between }: Options): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await attempt(write());
    } catch (error) {
      if (mayGiveUp()) throw error;
      if (pause === FIRST_PAUSE_MS)
        logger().warn({ reason: (error as Error).message }, "new tokens can't be stored yet; retrying until they are");
      await sleep(pause);
      if (between) await attempt(between()).catch(() => undefined);
    }
  }
}

const attempt = <T>(work: Promise<T>): Promise<T> =>
  inTime(work, ATTEMPT_MS, () => {
    throw new AppError("unavailable", "The database does not respond.");
  });

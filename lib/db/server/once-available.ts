import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable, unavailabilityOf } from "../unavailable.ts";

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5000;
const SAY_EVERY_MS = 30_000;

type Waiting = {
  /** Ends the waiting; the last failure is thrown. */
  signal: AbortSignal;
  /** Called at the first failure, and every 30 s. */
  onWait: (reason: string) => void;
  /** True for an unavailability that waiting does not end. */
  isFinal?: (reason: { code: string; message: string }) => boolean;
};

/** Repeats work while the database is unavailable, however long. Other failures (a wrong password) are thrown at once. */
export async function onceAvailable<T>(work: () => Promise<T>, { signal, onWait, isFinal = () => false }: Waiting): Promise<T> {
  let saidAt = Number.NEGATIVE_INFINITY;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const reason = unavailabilityOf(error);
      if (signal.aborted || !isDatabaseUnavailable(error) || (reason && isFinal(reason))) throw error;
      if (performance.now() - saidAt >= SAY_EVERY_MS) {
        saidAt = performance.now();
        onWait(reason?.message || reason?.code || "it does not respond");
      }
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw error;
    }
  }
}

import { performance } from "node:perf_hooks";
import { CONNECT_TIMEOUTS } from "#lib/db/unavailable";

const MAX_TRIES = 3;
/** Share of a wait in which the event loop ran code, or had no processor to run it. */
const MAX_BUSY = 0.5;

/** Connects again if the time ran out while this process was busy: Node runs expired timers before it reads the answer. */
export async function connectAgainWhenBusy<T>(connect: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const before = performance.eventLoopUtilization();
    try {
      return await connect();
    } catch (error) {
      const wasBusy = performance.eventLoopUtilization(before).utilization > MAX_BUSY;
      if (!wasBusy || tries === MAX_TRIES || !CONNECT_TIMEOUTS.includes((error as Error).message)) throw error;
    }
  }
}

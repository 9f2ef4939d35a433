import { onTestFinished } from "vitest";

/** A loop of the worker process, as that runs it. */
export type BackgroundLoop = { stop: () => Promise<void> };

/** Starts a loop, which ends with the test at the latest. */
export function startLoop(run: (signal: AbortSignal) => Promise<void>): BackgroundLoop {
  const stopping = new AbortController();
  const running = run(stopping.signal);
  const stop = async () => {
    stopping.abort();
    await running;
  };
  onTestFinished(stop);
  return { stop };
}

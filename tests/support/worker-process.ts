import { onTestFinished } from "vitest";
import { forkWorker } from "./fork-worker.ts";

/** A worker as `npm run worker` runs it, in a process of its own. */
export type WorkerProcess = {
  pid: number;
  /** Resolves with the exit code, or the signal, once it has ended. */
  ended: Promise<number | string>;
  signal: (name: NodeJS.Signals) => void;
};

/** Starts a worker on a database and waits until it is at work; it is gone when the test is over. */
export async function startWorker(databaseUrl: string, environment: Record<string, string> = {}): Promise<WorkerProcess> {
  const { child, ready, ended } = forkWorker(databaseUrl, environment);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  await ready;
  return { pid: child.pid ?? 0, ended, signal: (name) => void child.kill(name) };
}

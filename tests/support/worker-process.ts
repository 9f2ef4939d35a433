import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { onTestFinished } from "vitest";
import { TEST_ENV } from "./environment.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** A worker as `npm run worker` runs it, in a process of its own. */
export type WorkerProcess = {
  pid: number;
  /** Resolves with the exit code, or the signal, once it has ended. */
  ended: Promise<number | string>;
  signal: (name: NodeJS.Signals) => void;
};

/** Starts a worker on a database and waits until it is at work; it is gone when the test is over. */
export async function startWorker(databaseUrl: string, environment: Record<string, string> = {}): Promise<WorkerProcess> {
  const child: ChildProcess = fork("lib/processes/worker.ts", [], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: { ...process.env, ...TEST_ENV, NODE_ENV: "production", DATABASE_URL: databaseUrl, SANDBOX: "off", ...environment },
  });
  const ended = new Promise<number | string>((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal ?? "")));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  await new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    void ended.then((how) => reject(new Error(`the worker ended while starting: ${how}`)));
  });
  return { pid: child.pid ?? 0, ended, signal: (name) => void child.kill(name) };
}

import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { TEST_ENV } from "./environment.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** A worker in a process of its own. `ready` resolves when it is at work, `ended` with its exit code, or the signal. */
export type ForkedWorker = { child: ChildProcess; ready: Promise<void>; ended: Promise<number | string> };

/** Forks `lib/processes/worker.ts`. The caller ends it. */
export function forkWorker(databaseUrl: string, environment: Record<string, string> = {}): ForkedWorker {
  const child = fork("lib/processes/worker.ts", [], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: { ...process.env, ...TEST_ENV, NODE_ENV: "production", DATABASE_URL: databaseUrl, SANDBOX: "off", ...environment },
  });
  const ended = new Promise<number | string>((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal ?? "")));
  const ready = new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    void ended.then((how) => reject(new Error(`the worker ended while starting: ${how}`)));
  });
  return { child, ready, ended };
}

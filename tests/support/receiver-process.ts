import { fork } from "node:child_process";
import path from "node:path";
import { onTestFinished } from "vitest";
import { TEST_ENV } from "./environment.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Starts a process that takes webhooks (children/receiver.ts); gone when the test is over. @returns its address */
export async function startReceiver(databaseUrl: string): Promise<string> {
  const child = fork(path.join(ROOT, "tests/support/children/receiver.ts"), [], {
    cwd: ROOT,
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, ...TEST_ENV, NODE_ENV: "test", DATABASE_URL: databaseUrl },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const port = await new Promise<number>((resolve, reject) => {
    child.once("message", (message) => resolve((message as { port: number }).port));
    child.once("exit", (code) => reject(new Error(`the receiver ended with ${code} before it was ready`)));
  });
  return `http://127.0.0.1:${port}`;
}

import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { onTestFinished } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** A process of its own; killed when the test ends. */
export type TokenUser = { process: ChildProcess; tell: (order: object) => Promise<unknown[]> };

/** Starts a process that wants tokens (children/token-user.ts), with the environment of this test. */
export async function startTokenUser(): Promise<TokenUser> {
  const child = fork(path.join(ROOT, "tests/support/children/token-user.ts"), [], {
    cwd: ROOT,
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("exit", (code) => reject(new Error(`the child ended with ${code} before it was ready`)));
  });
  const tell = (order: object) =>
    new Promise<unknown[]>((resolve) => {
      child.once("message", (message) => resolve((message as { results: unknown[] }).results));
      child.send(order);
    });
  return { process: child, tell };
}

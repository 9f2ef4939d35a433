import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { test } from "@playwright/test";
import { installationEnvironment } from "./installation.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const started: ChildProcess[] = [];

/** Starts another process of the product on the same data; gone after the file's last test. @returns once it does its work */
export async function startBeside(file: string, env: Record<string, string> = {}): Promise<void> {
  const child = fork(path.join(ROOT, file), [], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: { ...installationEnvironment(), ...env },
  });
  started.push(child);
  await new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("exit", (code) => reject(new Error(`${file} ended with ${code}`)));
  });
}

test.afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});

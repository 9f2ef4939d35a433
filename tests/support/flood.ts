import { fork } from "node:child_process";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Number of answers of each status to a flood, and its duration. */
export type FloodResult = { statuses: Record<string, number>; seconds: number };

/** Sends one raw request so many times from a process of its own, as fast as it is answered. */
export function flood(port: number, request: string, total: number): Promise<FloodResult> {
  const child = fork(path.join(ROOT, "tests/support/children/flood.ts"), [], {
    cwd: ROOT,
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the flood ended with ${code}`)));
    child.once("message", (result) => {
      child.disconnect();
      resolve(result as FloodResult);
    });
    child.send({ port, request, total });
  });
}

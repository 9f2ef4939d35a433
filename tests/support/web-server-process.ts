import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { onTestFinished } from "vitest";
import { TEST_ENV } from "./environment.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const START = 'ulimit -n "$DESCRIPTORS"; exec "$NODE" --disable-warning=ExperimentalWarning tests/support/children/web-server.ts';

export type WebServerProcess = {
  port: number;
  /** The most memory that it ever held, in MiB. */
  peakMemory: () => Promise<number>;
};

/**
 * Starts a process with the web process's server (children/web-server.ts); it is gone when the test is over.
 *
 * @param descriptors how many files and sockets it may open
 * @param withApi the API's own handlers answer what is no webhook
 */
export async function startWebServer(databaseUrl: string, descriptors = 4096, withApi = false): Promise<WebServerProcess> {
  const own = {
    NODE: process.execPath,
    DESCRIPTORS: String(descriptors),
    DATABASE_URL: databaseUrl,
    SANDBOX: "on",
    WITH_API: withApi ? "yes" : "no",
    API_REQUESTS_PER_MINUTE: "1000000",
  };
  const child: ChildProcess = spawn("sh", ["-c", START], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, ...TEST_ENV, NODE_ENV: "test", ...own },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const recordArrival = <T>() =>
    new Promise<T>((resolve, reject) => {
      child.once("message", (message) => resolve(message as T));
      child.once("exit", (code) => reject(new Error(`the web server ended with ${code}`)));
    });
  const { port } = await recordArrival<{ port: number }>();
  return {
    port,
    peakMemory: async () => {
      const answer = recordArrival<{ peakKib: number }>();
      child.send("memory");
      return (await answer).peakKib / 1024;
    },
  };
}

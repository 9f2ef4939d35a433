import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import path from "node:path";
import { onTestFinished } from "vitest";

const MAIN = path.resolve(import.meta.dirname, "../../packages/cli/src/main.ts");

/** Environment of a command: nothing of ours, so that neither a login nor a key of this machine is used. */
type Place = { folder: string; url?: string; key?: string; environment?: Record<string, string> };
export type Ended = { code: number | null; stdout: string; stderr: string };

/** A `signalbox` that runs. It is killed when the test is over. */
export type RunningCommand = {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  ended: Promise<Ended>;
  /** Resolves once what it has printed matches. */
  printed: (pattern: RegExp) => Promise<void>;
};

/** Starts `signalbox` as a process of its own, without a terminal. */
export function startCommand(place: Place, args: string[], input?: string): RunningCommand {
  const child = spawn(process.execPath, [MAIN, ...args], { env: environmentOf(place) });
  child.stdin.on("error", () => {});
  child.stdin.end(input ?? "");
  return watch(child);
}

/** Starts `signalbox` on a terminal of its own, by util-linux' `script`; what it prints is all in `stdout`. */
export function startOnTerminal(place: Place, args: string[]): RunningCommand & { type: (keys: string) => void } {
  const command = `exec ${[process.execPath, MAIN, ...args].map((word) => JSON.stringify(word)).join(" ")}`;
  const child = spawn("script", ["--quiet", "--return", "--flush", "--command", command, "/dev/null"], { env: environmentOf(place) });
  return { ...watch(child), type: (keys) => void child.stdin.write(keys) };
}

function environmentOf({ folder, url, key, environment = {} }: Place): NodeJS.ProcessEnv {
  const { PATH = "", HOME = "", NODE_COMPILE_CACHE } = process.env;
  const own = { SIGNALBOX_CONFIG_DIR: folder, ...(url && { SIGNALBOX_URL: url }), ...(key && { SIGNALBOX_API_KEY: key }) };
  return { NODE_ENV: "test", ...own, ...environment, PATH, HOME, NODE_COMPILE_CACHE, TZ: "UTC" };
}

function watch(child: ChildProcessWithoutNullStreams): RunningCommand {
  const text = { stdout: "", stderr: "" };
  const watchers = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      text[name] += chunk;
      for (const look of watchers) look();
    });
  }
  const ended = new Promise<Ended>((resolve) => child.once("close", (code) => resolve({ code, ...text })));
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!pattern.test(text.stdout + text.stderr)) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
      void ended.then(() => reject(new Error(`ended before it printed ${pattern}: ${text.stdout}${text.stderr}`)));
    });
  return { child, stdout: () => text.stdout, stderr: () => text.stderr, ended, printed };
}

/** Runs `signalbox` to its end. */
export const runCommand = (place: Place, args: string[], input?: string): Promise<Ended> => startCommand(place, args, input).ended;

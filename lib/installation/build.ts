import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hashBuildInputs, isBuildFresh, markBuilt } from "./build-freshness.ts";
import { BuildOutput, type BuildProgress } from "./build-progress.ts";
import { takeLock } from "./lock/process-lock.ts";
import { buildEnvironment, ROOT } from "./process-environment.ts";

/** Not in `.next`, which a build empties first. */
const LOCK = path.join(ROOT, "node_modules/.cache/signalbox-build.lock");
const WAIT_MS = 300;
const PROGRESS_MS = 1000;

type BuildOptions = { signal?: AbortSignal; onProgress?: (progress: BuildProgress) => void };

/** Builds unless `.next` is up to date; a second start waits for the first. @throws Error with the build's output */
export async function ensureBuild({ signal, onProgress }: BuildOptions = {}): Promise<string> {
  if (isBuildFresh(ROOT)) return "up to date";
  const output = new BuildOutput(performance.now());
  const telling = setInterval(() => onProgress?.(output.progress(performance.now())), PROGRESS_MS);
  const release = await waitForTurn();
  try {
    const inputs = hashBuildInputs(ROOT);
    if (isBuildFresh(ROOT, inputs)) return "built by another start";
    // One after the other: together they take more memory.
    await packCommandLine(signal);
    await runBuild(signal, (text) => output.hear(text, performance.now()));
    markBuilt(ROOT, inputs);
    return "made";
  } finally {
    clearInterval(telling);
    release();
  }
}

async function waitForTurn(): Promise<() => void> {
  for (;;) {
    const taken = takeLock(LOCK, "building");
    if (taken.outcome === "locked") return taken.release;
    await sleep(WAIT_MS);
  }
}

function runBuild(signal: AbortSignal | undefined, onOutput: (text: string) => void): Promise<void> {
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  return run("The production build", process.execPath, [next, "build"], ROOT, { signal, onOutput });
}

/** Packs the command line, which `/cli` serves. */
const packCommandLine = (signal: AbortSignal | undefined): Promise<void> =>
  run("Packing the command line", "npm", ["pack", "--pack-destination", "dist"], path.join(ROOT, "packages/cli"), { signal });

type RunOptions = { signal: AbortSignal | undefined; onOutput?: (text: string) => void };

function run(what: string, program: string, args: string[], cwd: string, { signal, onOutput }: RunOptions): Promise<void> {
  const child = spawn(program, args, {
    cwd,
    env: buildEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal && { signal }),
  });
  let output = "";
  const keep = (chunk: Buffer) => {
    output += chunk.toString();
    onOutput?.(output);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`${what} failed (${code ?? "stopped"}):\n\n${output.trim()}`))));
  });
}

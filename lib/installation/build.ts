import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hashBuildInputs, isBuildFresh, markBuilt } from "./build-freshness.ts";
import { takeLock } from "./lock/process-lock.ts";
import { buildEnvironment, ROOT } from "./process-environment.ts";

/** Not in `.next`: a build empties that folder first, and with it would go the lock. */
const LOCK = path.join(ROOT, "node_modules/.cache/signalbox-build.lock");
const WAIT_MS = 300;

/**
 * Makes the production build unless the one in `.next` is of the present
 * sources. Two starts at once make one build: the second waits for the first.
 *
 * @param signal ends the build
 * @returns what was done, in words
 * @throws Error with the build's whole output when it fails
 */
export async function ensureBuild(signal?: AbortSignal): Promise<string> {
  if (isBuildFresh(ROOT)) return "up to date";
  const release = await waitForTurn();
  try {
    const inputs = hashBuildInputs(ROOT);
    if (isBuildFresh(ROOT, inputs)) return "built by another start";
    await Promise.all([runBuild(signal), packCommandLine(signal)]);
    markBuilt(ROOT, inputs);
    return "made";
  } finally {
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

function runBuild(signal: AbortSignal | undefined): Promise<void> {
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  return run("The production build", process.execPath, [next, "build"], ROOT, signal);
}

/** Packs the command line, which `/cli` serves. */
const packCommandLine = (signal: AbortSignal | undefined): Promise<void> =>
  run("Packing the command line", "npm", ["pack", "--pack-destination", "dist"], path.join(ROOT, "packages/cli"), signal);

function run(what: string, program: string, args: string[], cwd: string, signal: AbortSignal | undefined): Promise<void> {
  const child = spawn(program, args, {
    cwd,
    env: buildEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal && { signal }),
  });
  let output = "";
  const keep = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`${what} failed (${code ?? "stopped"}):\n\n${output.trim()}`))));
  });
}

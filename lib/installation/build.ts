import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compressAssets } from "./compressed-assets.ts";
import { buildEnvironment, ROOT } from "./process-environment.ts";
import { takeLock } from "./process-lock.ts";

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
    await runBuild(inputs, signal, (text) => output.hear(text, performance.now()));
    await compressAssets(ROOT);
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

function runBuild(inputs: string, signal: AbortSignal | undefined, onOutput: (text: string) => void): Promise<void> {
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  return run("The production build", process.execPath, [next, "build"], ROOT, { signal, onOutput, env: buildEnvironment(inputs) });
}

/** Packs the command line, which `/cli` serves. */
const packCommandLine = (signal: AbortSignal | undefined): Promise<void> =>
  run("Packing the command line", "npm", ["pack", "--pack-destination", "dist"], path.join(ROOT, "packages/cli"), { signal });

type RunOptions = { signal: AbortSignal | undefined; onOutput?: (text: string) => void; env?: NodeJS.ProcessEnv };

function run(what: string, program: string, args: string[], cwd: string, { signal, onOutput, env }: RunOptions): Promise<void> {
  const child = spawn(program, args, {
    cwd,
    env: env ?? buildEnvironment(),
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

/** A change in any of them makes the build stale. */
const INPUTS = [
  "app",
  "components",
  "lib",
  "packages/cli/src",
  "packages/cli/build.ts",
  "packages/cli/package.json",
  "public",
  "prisma/schema.prisma",
  "package-lock.json",
  "next.config.ts",
  "postcss.config.mjs",
  "tailwind.config.ts",
  "tsconfig.json",
  "proxy.ts",
  "instrumentation-client.ts",
];

/** Made from schema.prisma, which is counted already, and newer at every install. */
const GENERATED = "lib/db/generated";

const STAMP = ".next/signalbox-build";

export function hashBuildInputs(root: string): string {
  const hash = createHash("sha256");
  for (const file of INPUTS.flatMap((input) => listFiles(root, input)).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

function listFiles(root: string, relative: string): string[] {
  const stat = statSync(path.join(root, relative), { throwIfNoEntry: false });
  if (!stat || relative === GENERATED) return [];
  if (!stat.isDirectory()) return [relative];
  return readdirSync(path.join(root, relative)).flatMap((name) => listFiles(root, `${relative}/${name}`));
}

/** True for a whole build of the present inputs. The packed product has no sources: its build is the only one. */
export function isBuildFresh(root: string, inputs?: string): boolean {
  const stamp = path.join(root, STAMP);
  if (!existsSync(path.join(root, ".next/BUILD_ID")) || !existsSync(stamp)) return false;
  return !existsSync(path.join(root, "app")) || readFileSync(stamp, "utf8") === (inputs ?? hashBuildInputs(root));
}

/** Stamps a build that succeeded, with the hash from before it. */
export function markBuilt(root: string, inputs: string): void {
  writeFileSync(path.join(root, STAMP), inputs);
}

/** Messages of `next build`, what each is followed by, and the progress in per cent. */
const STAGES: readonly (readonly [heard: RegExp, waitsFor: string, percent: number])[] = [
  [/Creating an optimized production build/, "compiling", 2],
  [/Compiled successfully/, "collecting the pages", 75],
  [/Collecting page data/, "collecting the pages", 80],
  [/Generating static pages/, "writing the static pages", 88],
  [/Finalizing page optimization/, "finishing", 95],
];

export type BuildProgress = { percent: number; waitsFor: string };

/** Compiling prints nothing: half of what is left counts as done after this time. */
const HALF_OF_COMPILING_MS = 25_000;

export class BuildOutput {
  private stage = 0;
  private since: number;

  constructor(now: number) {
    this.since = now;
  }

  /** @param text everything printed so far */
  hear(text: string, now: number): void {
    const heard = STAGES.findLastIndex(([words]) => words.test(text));
    if (heard <= this.stage) return;
    this.stage = heard;
    this.since = now;
  }

  /** Grows with time between two messages, and never reaches the next. */
  progress(now: number): BuildProgress {
    const [, waitsFor = "", percent = 0] = STAGES[this.stage] ?? [];
    const next = STAGES[this.stage + 1]?.[2] ?? 100;
    const share = 1 - 0.5 ** ((now - this.since) / HALF_OF_COMPILING_MS);
    return { percent: Math.floor(percent + (next - percent) * share), waitsFor };
  }
}

export const progressWords = ({ percent, waitsFor }: BuildProgress): string => `${percent}%, ${waitsFor}`;

import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { makeOpenFolder } from "#tests/support/open-folder";
import { announceFolder, dataDir, installationEnvironment, logFile, WORKERS } from "./installation.ts";

const START_LIMIT_MS = 240_000;
const ROOT = path.resolve(import.meta.dirname, "../../..");
const READY = "Press Ctrl-C to stop.";

/** Starts each worker's installation as a person would, each on its own port and empty data, and stops them after the last test. */
export default async function startInstallations(): Promise<() => Promise<void>> {
  const folder = makeOpenFolder("signalbox-e2e-");
  announceFolder(folder);
  const started = await Promise.allSettled(Array.from({ length: WORKERS }, (_, at) => startInstallation(at)));
  const stop = async () => {
    const ended = await Promise.allSettled(started.map((each) => each.status === "fulfilled" && each.value()));
    rmSync(folder, { recursive: true, force: true });
    throwFirst(ended);
  };
  try {
    throwFirst(started);
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
  return stop;
}

function throwFirst(results: PromiseSettledResult<unknown>[]): void {
  for (const each of results) if (each.status === "rejected") throw each.reason;
}

/** Starts one, and waits until it is ready. @returns how to stop it, which throws when it does not end as it should */
export async function startInstallation(at: number): Promise<() => Promise<void>> {
  const app = start(at);
  const stop = async () => {
    const code = await end(app);
    if (code !== 0) throw new Error(`Signalbox ended with ${code} when it was asked to stop.`);
  };
  await untilReady(app).catch(async (error: Error) => {
    await stop().catch(() => {});
    throw error;
  });
  return stop;
}

function start(at: number): ChildProcess {
  mkdirSync(dataDir(at));
  const app = spawn(process.execPath, ["lib/processes/start.ts"], {
    cwd: ROOT,
    env: installationEnvironment(at),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = createWriteStream(logFile(at));
  for (const stream of [app.stdout, app.stderr]) stream?.pipe(printed, { end: false });
  // Warnings and errors belong beside the tests that caused them; the link to the first owner is in the file.
  app.stderr?.pipe(process.stderr);
  process.stdout.write(`installation ${at}: starting\n`);
  return app;
}

/** Asks it to stop. @returns its exit code */
function end(app: ChildProcess): Promise<number | null> {
  if (app.exitCode !== null) return Promise.resolve(app.exitCode);
  const ended = new Promise<number | null>((resolve) => app.once("exit", resolve));
  app.kill("SIGTERM");
  return ended;
}

function untilReady(app: ChildProcess): Promise<void> {
  let output = "";
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`Signalbox was not ready within ${START_LIMIT_MS / 1000} s:\n${output}`)),
      START_LIMIT_MS,
    );
    app.once("exit", (code) => reject(new Error(`Signalbox ended with ${code} while starting:\n${output}`)));
    app.stdout?.on("data", (chunk: Buffer) => {
      if (output.includes(READY)) return void process.stdout.write(chunk);
      output += chunk.toString();
      if (!output.includes(READY)) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { makeOpenFolder } from "#tests/support/open-folder";
import { announceFolder, dataDir, INSTALLATIONS, installationEnvironment, logFile, UNOWNED } from "./installation.ts";

const START_LIMIT_MS = 240_000;
const ROOT = path.resolve(import.meta.dirname, "../../..");
const READY = "Press Ctrl-C to stop.";

/** Starts every installation as a person would, each on its own port and empty data, and stops them after the last test. */
export default async function startInstallations(): Promise<() => Promise<void>> {
  const folder = makeOpenFolder("signalbox-e2e-");
  announceFolder(folder);
  const apps = Array.from({ length: INSTALLATIONS }, (_, at) => start(at));
  const stop = async () => {
    const codes = await Promise.all(apps.map(end));
    rmSync(folder, { recursive: true, force: true });
    const wrong = codes.find((code) => code !== 0);
    if (wrong !== undefined) throw new Error(`Signalbox ended with ${wrong} when it was asked to stop.`);
  };
  await Promise.all(apps.map(untilReady)).catch(async (error: Error) => {
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
  process.stdout.write(`installation ${at}${at === UNOWNED ? ", nobody's" : ""}: starting\n`);
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

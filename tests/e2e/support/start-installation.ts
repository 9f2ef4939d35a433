import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, rmSync } from "node:fs";
import path from "node:path";
import { makeOpenFolder } from "#tests/support/open-folder";
import { announceDataDir, announceSetupUrl, installationEnvironment, logFile } from "./installation.ts";

const START_LIMIT_MS = 240_000;
const ROOT = path.resolve(import.meta.dirname, "../../..");

/** Starts Signalbox as a person would, on its own port and empty data, and stops it after the last test. */
export default async function startInstallation(): Promise<() => Promise<void>> {
  const dataDir = makeOpenFolder("signalbox-e2e-");
  announceDataDir(dataDir);
  const app = spawn(process.execPath, ["lib/processes/start.ts"], {
    cwd: ROOT,
    env: installationEnvironment(dataDir),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = createWriteStream(logFile());
  for (const stream of [app.stdout, app.stderr]) stream?.pipe(printed, { end: false });
  const output = await untilReady(app);
  announceSetupUrl(/https?:\/\/\S+\/setup\?token=\S+/.exec(output)?.[0] ?? "");
  return async () => {
    const ended = new Promise<number | null>((resolve) => app.once("exit", resolve));
    app.kill("SIGTERM");
    const code = await ended;
    rmSync(dataDir, { recursive: true, force: true });
    if (code !== 0) throw new Error(`Signalbox ended with ${code} when it was asked to stop.`);
  };
}

/** @returns what it printed until it was ready, with the link that follows */
function untilReady(app: ChildProcess): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      app.kill("SIGTERM");
      reject(new Error(`Signalbox was not ready within ${START_LIMIT_MS / 1000} s:\n${output}`));
    }, START_LIMIT_MS);
    app.once("exit", (code) => reject(new Error(`Signalbox ended with ${code} while starting:\n${output}`)));
    const listen = (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes("Ctrl-C stops it.")) return;
      clearTimeout(timer);
      resolve(output);
    };
    app.stdout?.on("data", listen);
    // Warnings and errors belong beside the tests that caused them.
    app.stderr?.pipe(process.stderr);
    app.stdout?.on("data", (chunk: Buffer) => output.includes("Ctrl-C stops it.") && process.stdout.write(chunk));
  });
}

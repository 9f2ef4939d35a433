import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureBuild } from "#lib/installation/build";
import { findLeaks } from "../leaks.ts";
import type { Found } from "./test-stage.ts";

/** Tools of a stage: a folder for reports, and a function that prints and keeps the log of the run. */
export type StageTools = { reports: string; write: (text: string) => void };

export type Stage = { name: string; work: (tools: StageTools) => Promise<Found> };

/**
 * Runs the stages one after the other, those of a list side by side, searches their log for secrets, and prints what failed, how long it
 * took and then `N passed, N failed`. The process ends with 1 if anything failed.
 *
 * @param slowness of this machine, measured before with nothing beside it: a limit of the whole is told in seconds times it
 */
export async function runStages(stages: (Stage | Stage[])[], slowness: number): Promise<void> {
  const since = Date.now();
  const reports = mkdtempSync(path.join(tmpdir(), "signalbox-reports-"));
  let log = "";
  const write = (text: string) => {
    log += text;
    process.stdout.write(text);
  };
  const found: Found[] = [];
  for (const stage of stages)
    if (Array.isArray(stage))
      found.push(...(await Promise.all(stage.map((each) => runStage(each, { reports, write: wholeLines(write) })))));
    else found.push(await runStage(stage, { reports, write }));
  found.push(await runStage({ name: "no secret in the log", work: async () => searchLog(log, write) }, { reports, write }));
  rmSync(reports, { recursive: true, force: true });
  // Last, where a reader looks for the reason first.
  for (const { name, message } of found.flatMap(({ failures = [] }) => failures))
    write(`\nfailed: ${name}\n${message.replace(/^/gm, "  ")}\n`);
  const passed = found.reduce((sum, stage) => sum + stage.passed, 0);
  const failed = found.reduce((sum, stage) => sum + stage.failed, 0);
  const seconds = (Date.now() - since) / 1000;
  write(`\n${seconds.toFixed(0)} s, slowness ${slowness.toFixed(2)}: ${(seconds / slowness).toFixed(0)} s on the machine of reference\n`);
  write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}

/** Passes on whole lines: those of stages side by side alternate. What ends without a line's end comes with what follows. */
function wholeLines(write: StageTools["write"]): StageTools["write"] {
  let begun = "";
  return (text) => {
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0) write(begun + text.slice(0, end));
    begun = end > 0 ? text.slice(end) : begun + text;
  };
}

/** The production build, unless it is there already. */
export const BUILD: Stage = {
  name: "production build",
  work: async ({ write }) => {
    write(`the production build: ${await ensureBuild()}\n`);
    return { passed: 1, failed: 0 };
  },
};

/** Runs one stage; what it throws counts as one failure and doesn't keep the next from running. */
async function runStage({ name, work }: Stage, tools: StageTools): Promise<Found> {
  const since = Date.now();
  tools.write(`\n== ${name}\n`);
  const found = await work(tools).catch(({ message }: Error): Found => {
    tools.write(`${message}\n`);
    return { passed: 0, failed: 1, failures: [{ name, message }] };
  });
  const seconds = ((Date.now() - since) / 1000).toFixed(0);
  tools.write(`== ${name}: ${found.passed} passed, ${found.failed} failed (${seconds} s)\n`);
  return found;
}

/** The log of the whole run, as a reader of it finds it. */
function searchLog(log: string, write: StageTools["write"]): Found {
  const leaks = findLeaks(log);
  write(
    `secrets found in ${(log.length / 1024).toFixed(0)} KB of this log: ${leaks.length}\n${leaks.map((leak) => `  ${leak}\n`).join("")}`,
  );
  return { passed: leaks.length === 0 ? 1 : 0, failed: leaks.length === 0 ? 0 : 1 };
}

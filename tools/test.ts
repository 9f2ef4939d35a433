import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureBuild } from "#lib/installation/build";
import { runChecks } from "./check.ts";
import { provideChromium } from "./chromium.ts";
import { findLeaks } from "./leaks.ts";
import { runPlaywright } from "./testing/run-playwright.ts";
import { runVitest } from "./testing/run-vitest.ts";
import type { Found } from "./testing/test-stage.ts";

// `npm test`: every check and every test there is, with one line at the end.

const reports = mkdtempSync(path.join(tmpdir(), "signalbox-reports-"));
let log = "";
const write = (text: string) => {
  log += text;
  process.stdout.write(text);
};

/** Runs one stage; what it throws counts as one failure and doesn't keep the next from running. */
async function stage(name: string, work: () => Promise<Found>): Promise<Found> {
  const since = Date.now();
  write(`\n== ${name}\n`);
  const found = await work().catch(({ message }: Error): Found => {
    write(`${message}\n`);
    return { passed: 0, failed: 1, failures: [{ name, message }] };
  });
  write(`== ${name}: ${found.passed} passed, ${found.failed} failed (${((Date.now() - since) / 1000).toFixed(0)} s)\n`);
  return found;
}

/** The log of the whole run, as a reader of it finds it. */
async function searchLog(): Promise<Found> {
  const leaks = findLeaks(log);
  write(
    `secrets found in ${(log.length / 1024).toFixed(0)} KB of this log: ${leaks.length}\n${leaks.map((leak) => `  ${leak}\n`).join("")}`,
  );
  return { passed: leaks.length === 0 ? 1 : 0, failed: leaks.length === 0 ? 0 : 1 };
}

async function build(): Promise<Found> {
  write(`the production build: ${await ensureBuild()}\n`);
  return { passed: 1, failed: 0 };
}

async function testInBrowser(): Promise<Found> {
  const { path: browser, origin } = await provideChromium((line) => write(`${line}\n`));
  write(`Chromium: ${origin}, ${browser}\n`);
  return runPlaywright(browser, reports, write);
}

const found = [
  await stage("checks", runChecks),
  await stage("unit and integration tests", () => runVitest(reports, write)),
  await stage("production build", build),
  await stage("browser tests", testInBrowser),
  await stage("no secret in the log", searchLog),
];
rmSync(reports, { recursive: true, force: true });
const passed = found.reduce((sum, stage) => sum + stage.passed, 0);
const failed = found.reduce((sum, stage) => sum + stage.failed, 0);
const passedAgain = found.flatMap((stage) => stage.passedAgain ?? []);
if (passedAgain.length > 0) write(`\npassed only when tried again:\n${passedAgain.map((name) => `  ${name}\n`).join("")}`);
// Last, where who looks for the reason looks first.
for (const { name, message } of found.flatMap((stage) => stage.failures ?? []))
  write(`\nfailed: ${name}\n${message.replace(/^/gm, "  ")}\n`);
write(
  `\n${passed} passed, ${failed} failed${passedAgain.length > 0 ? `, ${passedAgain.length} of them passed only when tried again` : ""}\n`,
);
process.exitCode = failed > 0 ? 1 : 0;

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureBuild } from "#lib/processes/build";
import { runChecks } from "./check.ts";
import { provideChromium } from "./chromium.ts";
import { findLeaks } from "./leaks.ts";
import { commandOf, runNode } from "./run-command.ts";

// `npm test`: every check and every test there is, with one line at the end.

type Count = { passed: number; failed: number };

const reports = mkdtempSync(path.join(tmpdir(), "signalbox-reports-"));
let log = "";
const write = (text: string) => {
  log += text;
  process.stdout.write(text);
};

/** Runs one stage; what it throws counts as one failure and doesn't keep the next from running. */
async function stage(name: string, work: () => Promise<Count>): Promise<Count> {
  const since = Date.now();
  write(`\n== ${name}\n`);
  const count = await work().catch((error: Error) => {
    write(`${error.message}\n`);
    return { passed: 0, failed: 1 };
  });
  write(`== ${name}: ${count.passed} passed, ${count.failed} failed (${((Date.now() - since) / 1000).toFixed(0)} s)\n`);
  return count;
}

async function runVitest(): Promise<Count> {
  const report = path.join(reports, "vitest.json");
  const { code } = await runNode(commandOf("vitest"), ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`], {
    onOutput: write,
  });
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, "utf8")) as VitestReport;
  const failed = testResults.reduce((sum, file) => sum + failuresOf(file), 0);
  // An error outside any test fails the run and no test.
  return { passed: numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed };
}

type VitestReport = { numPassedTests: number; testResults: { status: string; assertionResults: { status: string }[] }[] };

/** A file that can't be loaded has no tests to fail: it counts as one. */
function failuresOf(file: VitestReport["testResults"][number]): number {
  const failed = file.assertionResults.filter(({ status }) => status === "failed").length;
  return file.status === "failed" ? Math.max(failed, 1) : failed;
}

/** The log of the whole run, as a reader of it finds it. */
async function searchLog(): Promise<Count> {
  const leaks = findLeaks(log);
  write(
    `secrets found in ${(log.length / 1024).toFixed(0)} KB of this log: ${leaks.length}\n${leaks.map((leak) => `  ${leak}\n`).join("")}`,
  );
  return { passed: leaks.length === 0 ? 1 : 0, failed: leaks.length === 0 ? 0 : 1 };
}

async function build(): Promise<Count> {
  write(`the production build: ${await ensureBuild()}\n`);
  return { passed: 1, failed: 0 };
}

async function runPlaywright(): Promise<Count> {
  const { path: browser, origin } = await provideChromium((line) => write(`${line}\n`));
  write(`Chromium: ${origin}, ${browser}\n`);
  const report = path.join(reports, "playwright.json");
  const { code } = await runNode(
    commandOf("@playwright/test", "playwright"),
    ["test", "--config=tests/e2e/playwright.config.ts", "--reporter=list,json"],
    // Playwright sets FORCE_COLOR for its workers and warns of the two together.
    { env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report, PLAYWRIGHT_CHROMIUM_PATH: browser, NO_COLOR: undefined }, onOutput: write },
  );
  const { stats } = JSON.parse(readFileSync(report, "utf8")) as { stats: { expected: number; unexpected: number; flaky: number } };
  const failed = stats.unexpected + stats.flaky;
  return { passed: stats.expected, failed: code !== 0 && failed === 0 ? 1 : failed };
}

const counts = [
  await stage("checks", runChecks),
  await stage("unit and integration tests", runVitest),
  await stage("production build", build),
  await stage("browser tests", runPlaywright),
  await stage("no secret in the log", searchLog),
];
rmSync(reports, { recursive: true, force: true });
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;

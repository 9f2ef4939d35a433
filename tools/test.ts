import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureBuild } from "#lib/installation/build";
import { runChecks } from "./check.ts";
import { provideChromium } from "./chromium.ts";
import { findLeaks } from "./leaks.ts";
import { commandOf, runNode } from "./run-command.ts";

// `npm test`: every check and every test there is, with one line at the end.

type Count = { passed: number; failed: number };

/** More files than these are not slow, but broken. */
const MOST_SLOW_FILES = 5;
/** What failed, and then passed with the machine to itself. */
const passedAlone: string[] = [];

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

/**
 * All of them, and the files with a failed test once more, each with the machine to itself: some tests measure time
 * (docs/decisions/0058). What passes only then is named, and is counted apart.
 */
async function runVitest(): Promise<Count> {
  const first = await vitest("first", []);
  const files = first.files.filter((file) => failuresOf(file) > 0);
  const failed = files.reduce((sum, file) => sum + failuresOf(file), 0);
  // An error outside any test fails the run and no test.
  if (failed === 0) return { passed: first.passed, failed: first.code === 0 ? 0 : 1 };
  if (files.length > MOST_SLOW_FILES) return { passed: first.passed, failed };
  write(`\nonce more, alone: ${files.map(({ name }) => path.relative(process.cwd(), name)).join(", ")}\n`);
  const again = await vitest("again", ["--maxWorkers=1", ...files.map(({ name }) => name)]);
  const still = again.files.reduce((sum, file) => sum + failuresOf(file), 0);
  if (still > 0 || again.code !== 0) return { passed: first.passed, failed: Math.max(still, 1) };
  for (const { assertionResults } of files)
    for (const { status, fullName } of assertionResults) if (status === "failed") passedAlone.push(fullName);
  return { passed: first.passed + failed, failed: 0 };
}

async function vitest(run: string, args: string[]): Promise<{ code: number; passed: number; files: VitestReport["testResults"] }> {
  const report = path.join(reports, `vitest-${run}.json`);
  const { code } = await runNode(
    commandOf("vitest"),
    ["run", ...args, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    {
      onOutput: write,
    },
  );
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, "utf8")) as VitestReport;
  return { code, passed: numPassedTests, files: testResults };
}

type VitestReport = {
  numPassedTests: number;
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[];
};

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
  const { stats, suites } = JSON.parse(readFileSync(report, "utf8")) as PlaywrightReport;
  passedAlone.push(...suites.flatMap(listFlaky));
  return { passed: stats.expected + stats.flaky, failed: code !== 0 && stats.unexpected === 0 ? 1 : stats.unexpected };
}

type PlaywrightSuite = { specs: { title: string; tests: { status: string }[] }[]; suites?: PlaywrightSuite[] };
type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number }; suites: PlaywrightSuite[] };

/** The titles of the tests that passed when Playwright tried them a second time. */
function listFlaky({ specs, suites = [] }: PlaywrightSuite): string[] {
  const own = specs.filter(({ tests }) => tests.some(({ status }) => status === "flaky"));
  return [...own.map(({ title }) => title), ...suites.flatMap(listFlaky)];
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
if (passedAlone.length > 0) write(`\npassed only when tried again:\n${passedAlone.map((name) => `  ${name}\n`).join("")}`);
write(
  `\n${passed} passed, ${failed} failed${passedAlone.length > 0 ? `, ${passedAlone.length} of them passed only when tried again` : ""}\n`,
);
process.exitCode = failed > 0 ? 1 : 0;

import { readFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { commandOf, runNode } from "../run-command.ts";
import type { Found } from "./test-stage.ts";

type PlaywrightTest = { status: string; results: { errors?: { message?: string }[] }[] };
type PlaywrightSuite = { specs: { title: string; file: string; tests: PlaywrightTest[] }[]; suites?: PlaywrightSuite[] };
type PlaywrightReport = {
  stats: { expected: number; flaky: number };
  suites: PlaywrightSuite[];
  errors: { message?: string }[];
};

/**
 * Runs every browser test, and each failed one again at once, as often as the configuration says (docs/decisions/0058).
 *
 * @param browser path of Chromium
 * @param reports a folder for what Playwright reports
 */
export async function runPlaywright(browser: string, reports: string, write: (text: string) => void): Promise<Found> {
  const report = path.join(reports, "playwright.json");
  const { code } = await runNode(
    commandOf("@playwright/test", "playwright"),
    ["test", "--config=tests/e2e/playwright.config.ts", "--reporter=list,json"],
    // Playwright sets FORCE_COLOR for its workers and warns of the two together.
    { env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report, PLAYWRIGHT_CHROMIUM_PATH: browser, NO_COLOR: undefined }, onOutput: write },
  );
  const { stats, suites, errors } = JSON.parse(readFileSync(report, "utf8")) as PlaywrightReport;
  const failures = [
    ...suites.flatMap((suite) => listEnded(suite, "unexpected")),
    ...errors.map(({ message = "" }) => ({ name: "outside the browser tests", message })),
  ];
  return {
    passed: stats.expected + stats.flaky,
    failed: code === 0 ? 0 : Math.max(failures.length, 1),
    failures: failures.map(({ name, message }) => ({ name, message: stripVTControlCharacters(message) })),
    passedAgain: suites.flatMap((suite) => listEnded(suite, "flaky")).map(({ name }) => name),
  };
}

/** The tests of a suite, and of those inside it, that ended so. */
function listEnded({ specs, suites = [] }: PlaywrightSuite, status: "unexpected" | "flaky"): { name: string; message: string }[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests.filter((test) => test.status === status).map(({ results }) => ({ name: `${file}: ${title}`, message: messageOf(results) })),
  );
  return [...own, ...suites.flatMap((suite) => listEnded(suite, status))];
}

/** Of the last try that says something: one that was skipped because an earlier test failed says nothing. */
const messageOf = (results: PlaywrightTest["results"]): string =>
  results.findLast(({ errors = [] }) => errors.length > 0)?.errors?.[0]?.message ?? "";

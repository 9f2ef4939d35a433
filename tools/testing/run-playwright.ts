import { readFileSync } from "node:fs";
import path from "node:path";
import { commandOf, runNode } from "../run-command.ts";
import { type Found, MOST_SLOW_FILES } from "./test-stage.ts";

type PlaywrightTest = { status: string; results: { errors?: { message?: string }[] }[] };
type PlaywrightSuite = { specs: { title: string; file: string; tests: PlaywrightTest[] }[]; suites?: PlaywrightSuite[] };
type PlaywrightReport = {
  stats: { expected: number; unexpected: number };
  suites: PlaywrightSuite[];
  errors: { message?: string }[];
};
type Ended = { file: string; name: string; message: string };

/**
 * Runs every browser test, each failed one a second time at once, and the files of those that failed twice once more, with
 * the machine to themselves (docs/decisions/0058).
 *
 * @param browser path of Chromium
 * @param reports a folder for what Playwright reports
 */
export async function runPlaywright(browser: string, reports: string, write: (text: string) => void): Promise<Found> {
  const playwright = async (run: string, args: string[]) => {
    const report = path.join(reports, `playwright-${run}.json`);
    const { code } = await runNode(
      commandOf("@playwright/test", "playwright"),
      ["test", "--config=tests/e2e/playwright.config.ts", "--reporter=list,json", ...args],
      // Playwright sets FORCE_COLOR for its workers and warns of the two together.
      { env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report, PLAYWRIGHT_CHROMIUM_PATH: browser, NO_COLOR: undefined }, onOutput: write },
    );
    const { stats, suites, errors } = JSON.parse(readFileSync(report, "utf8")) as PlaywrightReport;
    const failures = suites.flatMap((suite) => listEnded(suite, "unexpected"));
    const flaky = suites.flatMap((suite) => listEnded(suite, "flaky"));
    // An error outside any test fails the run and no test.
    const outside = errors.map(({ message }) => ({ file: "", name: "outside the tests", message: message ?? "" }));
    return { passed: stats.expected, ok: code === 0, failures, flaky, outside };
  };
  const first = await playwright("first", []);
  const flaky = first.flaky.map(({ name }) => name);
  const passed = first.passed + flaky.length;
  if (first.ok) return { passed, failed: 0, passedAlone: flaky };
  const files = [...new Set(first.failures.map(({ file }) => file))];
  const failures = [...first.failures, ...first.outside];
  if (files.length === 0 || files.length > MOST_SLOW_FILES || first.outside.length > 0)
    return { passed, failed: Math.max(failures.length, 1), failures, passedAlone: flaky };
  write(`\nonce more, alone: ${files.join(", ")}\n`);
  const again = await playwright("again", ["--workers=1", "--no-deps", ...files]);
  if (!again.ok) {
    const still = [...again.failures, ...again.outside];
    return { passed, failed: Math.max(still.length, 1), failures: still, passedAlone: flaky };
  }
  return { passed: passed + failures.length, failed: 0, passedAlone: [...flaky, ...failures.map(({ name }) => name)] };
}

function listEnded({ specs, suites = [] }: PlaywrightSuite, as: "unexpected" | "flaky"): Ended[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === as)
      .map(({ results }) => ({ file, name: `${file}: ${title}`, message: results.at(-1)?.errors?.[0]?.message ?? "" })),
  );
  return [...own, ...suites.flatMap((suite) => listEnded(suite, as))];
}

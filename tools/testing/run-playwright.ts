import { readFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { provideChromium } from "../chromium.ts";
import { commandOf, runNode } from "../run-command.ts";
import type { StageTools } from "./run-stages.ts";
import type { Found } from "./test-stage.ts";

type PlaywrightTest = { status: string; results: { errors?: { message?: string }[] }[] };
type PlaywrightSuite = { specs: { title: string; file: string; tests: PlaywrightTest[] }[]; suites?: PlaywrightSuite[] };
type PlaywrightReport = {
  stats: { expected: number };
  suites: PlaywrightSuite[];
  errors: { message?: string }[];
};

/** Runs every browser test once, or those of some files. @param env of the tests, beside this process's */
export async function runPlaywright(
  { reports, write }: StageTools,
  files: string[] = [],
  env: Record<string, string> = {},
): Promise<Found> {
  const { path: browser, origin } = await provideChromium((line) => write(`${line}\n`));
  write(`Chromium: ${origin}, ${browser}\n`);
  const report = path.join(reports, "playwright.json");
  const { code } = await runNode(
    commandOf("@playwright/test", "playwright"),
    ["test", "--config=tests/e2e/playwright.config.ts", "--reporter=list,json", ...files],
    // Playwright sets FORCE_COLOR for its workers and warns of the two together.
    { env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report, PLAYWRIGHT_CHROMIUM_PATH: browser, NO_COLOR: undefined }, onOutput: write },
  );
  const { stats, suites, errors } = JSON.parse(readFileSync(report, "utf8")) as PlaywrightReport;
  const failures = [...suites.flatMap(failuresOf), ...errors.map(({ message = "" }) => ({ name: "outside the browser tests", message }))];
  return {
    passed: stats.expected,
    failed: code === 0 ? 0 : Math.max(failures.length, 1),
    failures: failures.map(({ name, message }) => ({ name, message: stripVTControlCharacters(message) })),
  };
}

/** The failed tests of a suite, and of those inside it. */
function failuresOf({ specs, suites = [] }: PlaywrightSuite): { name: string; message: string }[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected")
      .map(({ results }) => ({ name: `${file}: ${title}`, message: messageOf(results) })),
  );
  return [...own, ...suites.flatMap(failuresOf)];
}

const messageOf = ([result]: PlaywrightTest["results"]): string => result?.errors?.[0]?.message ?? "";

import { readFileSync } from "node:fs";
import path from "node:path";
import { commandOf, ROOT, runNode } from "../run-command.ts";
import type { Found } from "./test-stage.ts";

/** More files than these are not slow, but broken. */
const MOST_SLOW_FILES = 5;

type VitestFile = {
  name: string;
  status: string;
  message: string;
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
};
type VitestReport = { numPassedTests: number; testResults: VitestFile[] };

/**
 * Runs every unit and integration test, and the files with a failed one once more, each with the machine to itself: some
 * tests measure time (docs/decisions/0058).
 *
 * @param reports a folder for what Vitest reports
 */
export async function runVitest(reports: string, write: (text: string) => void): Promise<Found> {
  const vitest = async (run: string, args: string[]) => {
    const report = path.join(reports, `vitest-${run}.json`);
    const output = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const { code } = await runNode(commandOf("vitest"), ["run", ...args, ...output], { onOutput: write });
    const { numPassedTests, testResults } = JSON.parse(readFileSync(report, "utf8")) as VitestReport;
    return { code, passed: numPassedTests, failures: testResults.flatMap(failuresOf) };
  };
  const first = await vitest("first", []);
  const failed = first.failures.length;
  // An error outside any test fails the run and no test.
  if (failed === 0) return { passed: first.passed, failed: first.code === 0 ? 0 : 1 };
  const files = [...new Set(first.failures.map(({ file }) => file))];
  if (files.length > MOST_SLOW_FILES) return { passed: first.passed, failed, failures: first.failures };
  write(`\nonce more, alone: ${files.map((file) => path.relative(ROOT, file)).join(", ")}\n`);
  const again = await vitest("again", ["--maxWorkers=1", ...files]);
  if (again.failures.length > 0 || again.code !== 0)
    return { passed: first.passed, failed: Math.max(again.failures.length, 1), failures: again.failures };
  return { passed: first.passed + failed, failed: 0, passedAgain: first.failures.map(({ name }) => name) };
}

/** A file that can't be loaded has no tests to fail: it counts as one. */
function failuresOf({ name: file, status, message, assertionResults }: VitestFile) {
  const failed = assertionResults.filter((result) => result.status === "failed");
  if (failed.length === 0) return status === "failed" ? [{ file, name: path.relative(ROOT, file), message }] : [];
  return failed.map(({ fullName, failureMessages }) => ({ file, name: fullName, message: failureMessages.join("\n") }));
}

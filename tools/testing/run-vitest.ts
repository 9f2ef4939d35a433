import { readFileSync } from "node:fs";
import path from "node:path";
import { commandOf, ROOT, runNode } from "../run-command.ts";
import type { StageTools } from "./run-stages.ts";
import type { Found } from "./test-stage.ts";

type VitestFile = {
  name: string;
  status: string;
  message: string;
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
};
type VitestReport = { numPassedTests: number; testResults: VitestFile[] };

/** Runs the tests that the arguments select, each once. It is a failure when they select none. @param givesWay to what runs beside it */
export async function runVitest(args: string[], { reports, write }: StageTools, givesWay = false): Promise<Found> {
  const report = path.join(reports, "vitest.json");
  const output = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { code, output: log } = await runNode(commandOf("vitest"), ["run", ...args, ...output], { onOutput: write, givesWay });
  const { numPassedTests: passed, testResults } = JSON.parse(readFileSync(report, "utf8")) as VitestReport;
  const failures = testResults.flatMap(failuresOf);
  if (failures.length > 0) return { passed, failed: failures.length, failures };
  if (passed === 0) throw new Error("no test was run");
  if (code === 0) return { passed, failed: 0 };
  // An error outside any test fails the run and no test.
  const [, message = `vitest ended with ${code}`] = /Unhandled Errors[^\n]*\n(.*?)\n *Test Files/s.exec(log) ?? [];
  return { passed, failed: 1, failures: [{ name: "outside the tests", message: message.trim() }] };
}

/** A file that can't be loaded has no tests to fail: it counts as one. */
function failuresOf({ name: file, status, message, assertionResults }: VitestFile) {
  const failed = assertionResults.filter((result) => result.status === "failed");
  if (failed.length === 0) return status === "failed" ? [{ name: path.relative(ROOT, file), message }] : [];
  return failed.map(({ fullName, failureMessages }) => ({ name: fullName, message: failureMessages.join("\n") }));
}

import { hostname } from "node:os";
import { printable } from "../../../lib/contracts/api/plain-text.ts";
import { countWords } from "../../../lib/contracts/format-count.ts";
import { answerWords, isFailed, type Result } from "./compare-answers.ts";
import type { Output, Paint } from "./terminal.ts";
import { durationWords } from "./time.ts";

/** Prints a result; of a comparison only differences, except with `ndjson`. */
export function printResult(output: Output, result: Result, comparing: boolean): void {
  const { id, type, answers, differences } = result;
  if (comparing && output.format !== "ndjson" && !isFailed(result)) return;
  const told = answers.map((sent) => ({
    status: sent.outcome === "answered" ? sent.status : null,
    error: sent.outcome === "answered" ? null : sent.error,
    durationMs: sent.durationMs,
  }));
  output.item(
    { id, type, same: comparing ? !isFailed(result) : undefined, answers: told, differences },
    (paint) => lines(result, paint),
    id,
  );
}

function lines(result: Result, paint: Paint): string {
  const mark = isFailed(result) ? paint("red", "✗") : paint("green", "✓");
  const answers = result.answers
    .map((sent) => `${printable(answerWords(sent))} ${paint("dim", durationWords(sent.durationMs))}`)
    .join(" | ");
  const head = `${mark} ${printable(result.type.padEnd(30))}  ${printable(result.id)}  ${answers}`;
  return [head, ...result.differences.map(({ path, first, second }) => printable(`    ${path}: ${first} | ${second}`))].join("\n");
}

/** Prints the summary on standard error, since the results are the data. Returns the number of failures. */
export function printSummary(output: Output, results: Result[], targets: { shown: string }[], seconds: number): number {
  const failed = results.filter(isFailed).length;
  const verdict =
    targets.length > 1 ? comparison(results, failed) : failed === 0 ? "all responded with 2xx" : `${failed} did not respond with 2xx`;
  output.note(`${countWords(results.length, "event")} in ${seconds.toFixed(1)} s: ${verdict}.`);
  for (const [at, { shown }] of targets.entries()) {
    const durations = results.flatMap(({ answers }) => answers[at]?.durationMs ?? []).sort((a, b) => a - b);
    output.note(`  ${shown}: median ${durationWords(quantile(durations, 0.5))}, 95% within ${durationWords(quantile(durations, 0.95))}`);
  }
  return failed;
}

function comparison(results: Result[], failed: number): string {
  if (failed === 0) return "all the same";
  const differ = results.filter(({ differences }) => differences.length > 0).length;
  return [differ > 0 && `${differ} differ`, failed > differ && `${failed - differ} got no response from either`].filter(Boolean).join(", ");
}

const quantile = (sorted: number[], share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export function junitXml(results: Result[], targets: string[], seconds: number): string {
  const failures = results.filter(isFailed).length;
  const name = `replay to ${targets.join(" and ")}`;
  const counts = `tests="${results.length}" failures="${failures}" errors="0" time="${seconds.toFixed(3)}"`;
  const timestamp = new Date().toISOString().slice(0, 19);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="signalbox" ${counts}>
  <testsuite name="${xml(name)}" ${counts} skipped="0" timestamp="${timestamp}" hostname="${xml(hostname())}">
${results.map((result) => testCase(result)).join("\n")}
  </testsuite>
</testsuites>
`;
}

function testCase(result: Result): string {
  const seconds = Math.max(...result.answers.map(({ durationMs }) => durationMs)) / 1000;
  const open = `    <testcase classname="${xml(result.type)}" name="${xml(result.id)}" time="${seconds.toFixed(3)}"`;
  if (!isFailed(result)) return `${open}/>`;
  const [first, second] = result.answers;
  const lines = result.differences.map((each) => `${each.path}: ${each.first} | ${each.second}`);
  const message = lines[0] ?? (second ? `no answer: ${answerWords(first)}` : `answered ${answerWords(first)}`);
  return `${open}>
      <failure type="${lines.length > 0 ? "difference" : "answer"}" message="${xml(message)}">${xml(lines.length > 0 ? lines.join("\n") : message)}</failure>
    </testcase>`;
}

/** Replaces the characters that XML 1.0 can't carry. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 section 2.2 has none of them
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;");

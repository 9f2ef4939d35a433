import { printable } from "../../../../lib/contracts/api/plain-text.ts";
import { countWords } from "../../../../lib/contracts/counts/format-count.ts";
import type { Paint } from "../output/color.ts";
import type { Output } from "../output/output.ts";
import { durationWords } from "../output/time.ts";
import { answerWords, isFailed, type Result } from "./result.ts";

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

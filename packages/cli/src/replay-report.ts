import { printable } from "../../../lib/contracts/api/plain-text.ts";
import { isObject, parseExact, writeJson } from "../../../lib/contracts/exact-json.ts";
import { isSameNumber } from "../../../lib/contracts/exact-numbers.ts";
import { countWords } from "../../../lib/contracts/format-count.ts";
import type { Sent } from "./deliver.ts";
import { usageError } from "./exit.ts";
import { type JunitCase, junitFile } from "./junit.ts";
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

export const junitXml = (results: Result[], targets: string[], seconds: number): string =>
  junitFile(`replay to ${targets.join(" and ")}`, results.map(testCase), seconds);

function testCase(result: Result): JunitCase {
  const seconds = Math.max(...result.answers.map(({ durationMs }) => durationMs)) / 1000;
  const open = { classname: result.type, name: result.id, seconds };
  if (!isFailed(result)) return open;
  const [first, second] = result.answers;
  const lines = result.differences.map((each) => `${each.path}: ${each.first} | ${each.second}`);
  const message = lines[0] ?? (second ? `no answer: ${answerWords(first)}` : `answered ${answerWords(first)}`);
  return {
    ...open,
    failure: { type: lines.length > 0 ? "difference" : "answer", message, text: lines.length > 0 ? lines.join("\n") : message },
  };
}

/** A path's segments; `*` matches any one. */
type IgnoredPath = string[];

/** Most differences shown of one event. */
const MAX_DIFFERENCES = 20;
const MAX_SHOWN = 200;

/** `$.requestId`, `items[*].at`, `$.items[0]["odd key"]`. */
export function ignoredPaths(texts: string[]): IgnoredPath[] {
  return texts.map((text) => {
    const bare = text.replace(/^\$\.?/, "");
    const segments = [...bare.matchAll(/\[(\*|\d+)\]|\["([^"]+)"\]|([^.[\]"]+)/g)];
    if (bare === "" || segments.map(([all]) => all).join("").length !== bare.replaceAll(".", "").length)
      throw usageError(`--ignore: "${text}" is not a path.`, "Write $.requestId or $.items[*].at");
    return segments.map(([, index, quoted, name]) => index ?? quoted ?? name ?? "");
  });
}

export function compareAnswers(first: Sent, second: Sent, ignored: IgnoredPath[]): Difference[] {
  if (first.outcome !== "answered" || second.outcome !== "answered" || first.status !== second.status)
    return answerWords(first) === answerWords(second) ? [] : [{ path: "status", first: answerWords(first), second: answerWords(second) }];
  if (first.body.equals(second.body)) return [];
  const [one, two] = [readJson(first.body), readJson(second.body)];
  if (one === undefined || two === undefined)
    return [{ path: "body", first: shown(first.body.toString()), second: shown(second.body.toString()) }];
  return [...differencesOf(one, two, [], ignored)].slice(0, MAX_DIFFERENCES);
}

function* differencesOf(first: unknown, second: unknown, path: string[], ignored: IgnoredPath[]): Generator<Difference> {
  if (Object.is(first, second) || isSameNumber(first, second) || ignored.some((pattern) => matches(pattern, path))) return;
  if (isNested(first) && isNested(second) && Array.isArray(first) === Array.isArray(second)) {
    const [one, two] = [first as Record<string, unknown>, second as Record<string, unknown>];
    for (const name of new Set([...Object.keys(one), ...Object.keys(two)]))
      yield* differencesOf(one[name], two[name], [...path, name], ignored);
    return;
  }
  yield { path: pathText(path), first: shown(writeJson(first)), second: shown(writeJson(second)) };
}

const isNested = (value: unknown): boolean => Array.isArray(value) || isObject(value);

const matches = (pattern: IgnoredPath, path: string[]): boolean =>
  pattern.length === path.length && pattern.every((segment, at) => segment === "*" || segment === path[at]);

/** `$.items[0].at` */
const pathText = (path: string[]): string =>
  `$${path.map((name) => (/^\d+$/.test(name) ? `[${name}]` : /^[\w$-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`)).join("")}`;

const shown = (text: string | undefined): string =>
  text === undefined ? "(missing)" : text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;

function readJson(body: Buffer): unknown {
  try {
    return parseExact(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

type Difference = { path: string; first: string; second: string };

export type Result = { id: string; type: string; answers: Sent[]; differences: Difference[] };

/** One target must answer 2xx; two must answer, and the same. */
export const isFailed = ({ answers, differences }: Result): boolean =>
  answers.length > 1
    ? differences.length > 0 || answers.some((sent) => sent.outcome !== "answered")
    : !answers.every((sent) => sent.outcome === "answered" && sent.status >= 200 && sent.status < 300);

const answerWords = (sent: Sent | undefined): string => (!sent ? "" : sent.outcome === "answered" ? String(sent.status) : sent.error);

import { isObject, parseExact, writeJson } from "../../../lib/contracts/exact-json.ts";
import { isSameNumber } from "../../../lib/contracts/exact-numbers.ts";
import type { Sent } from "./deliver.ts";
import { usageError } from "./exit.ts";

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

export const answerWords = (sent: Sent | undefined): string =>
  !sent ? "" : sent.outcome === "answered" ? String(sent.status) : sent.error;

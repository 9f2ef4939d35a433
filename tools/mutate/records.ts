import { createHash } from "node:crypto";
import { existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Profiler } from "node:inspector";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../run-command.ts";

/** Where everything lies that a run keeps: records, results and the copy that is mutated. */
export const KEPT = path.join(ROOT, ".data/mutate");
export const COPY = path.join(KEPT, "copy");

/** The product's functions that were called, by file. One without a name is not among them. */
type Calls = Record<string, string[]>;
/** What a test file did without a mutation. */
type TestRecord = { file: string; hash: string; passed: boolean; ms: number; calls: Calls };

export const recordPath = (testFile: string, kind: "here" | "children" | "record"): string =>
  path.join(KEPT, kind === "record" ? "records" : "recording", `${testFile.replaceAll("/", "+")}.${kind}`);

/** Returns what V8 counted in the product's files; what is in scripts of packages does not matter. */
export function calledFunctions(scripts: Profiler.ScriptCoverage[]): Calls {
  const calls: Calls = {};
  for (const { url, functions } of scripts) {
    if (!url.startsWith("file://")) continue;
    const file = path.relative(COPY, fileURLToPath(url));
    if (!file.startsWith("lib/") || file.startsWith("lib/db/generated/")) continue;
    const names = functions.filter(({ functionName, ranges }) => functionName !== "" && ranges.some(({ count }) => count > 0));
    if (names.length > 0) calls[file] = [...new Set(names.map(({ functionName }) => functionName))];
  }
  return calls;
}

/** Keeps what a test file called, in its own process and in those that it started. */
export function keepRecord(file: string, passed: boolean, ms: number): void {
  const children = recordPath(file, "children");
  const reports = existsSync(children) ? readdirSync(children).map((name) => readFileSync(path.join(children, name), "utf8")) : [];
  const here = recordPath(file, "here");
  const parts = [
    ...(existsSync(here) ? [JSON.parse(readFileSync(here, "utf8")) as Calls] : []),
    ...reports.filter((text) => text.endsWith("}")).map((text) => calledFunctions(JSON.parse(text).result)),
  ];
  const calls: Calls = {};
  for (const part of parts)
    for (const [name, functions] of Object.entries(part)) calls[name] = [...new Set([...(calls[name] ?? []), ...functions])];
  writeFileSync(recordPath(file, "record"), JSON.stringify({ file, hash: hashOf(file), passed, ms, calls } satisfies TestRecord));
  rmSync(children, { recursive: true, force: true });
  rmSync(here, { force: true });
}

const hashOf = (file: string): string =>
  createHash("sha256")
    .update(readFileSync(path.join(COPY, file)))
    .digest("hex");

/** The records of the copy's test files, and the files that have none or changed since. */
export function readRecords(): { records: TestRecord[]; missing: string[] } {
  const records: TestRecord[] = [];
  const missing: string[] = [];
  for (const file of globSync("tests/{unit,integration,field}/**/*.test.ts", { cwd: COPY }).sort()) {
    const kept = recordPath(file, "record");
    const record = existsSync(kept) ? (JSON.parse(readFileSync(kept, "utf8")) as TestRecord) : null;
    if (record?.hash === hashOf(file)) records.push(record);
    else missing.push(file);
  }
  return { records, missing };
}

/**
 * Returns the test files that call what a mutation changes: the function, or anything of the file where no test is known to call that.
 * Unit tests first, then those of the same subject, then the short ones.
 */
export function testsOf(records: TestRecord[], { file, within }: { file: string; within: string | null }): string[] {
  const callers = records.filter(({ passed, calls }) => passed && calls[file]);
  const nearest = callers.filter(({ calls }) => within !== null && calls[file]?.includes(within));
  const subjects = new Set(path.dirname(file).split("/").slice(1));
  const rank = ({ file: test, ms }: TestRecord): number =>
    ms * (test.startsWith("tests/unit/") ? 0.001 : 1) * (test.split("/").some((part) => subjects.has(part)) ? 0.1 : 1);
  return (nearest.length > 0 ? nearest : callers).toSorted((one, other) => rank(one) - rank(other)).map(({ file: test }) => test);
}

import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { measureSlowness } from "#tests/support/yardstick";
import { ROOT } from "../run-command.ts";
import { makeCopy, removeCopy, TestRunner, typesHold, whileChanged } from "./copy.ts";
import { type Mutation, sampleMutations } from "./mutations.ts";
import { COPY, KEPT, readRecords, testsOf } from "./records.ts";

// `npm run mutate -- --seed 4 --count 100`: changes the last commit's product in a copy, one place at a time, and says which level of the unit
// and integration tests notices (CONTRIBUTING.md). Stopped and started again, it goes on.

const LEVELS = ["unit", "integration", "types", "late", "nobody"] as const;
type Result = {
  /** Trees of the product and of the tests that it stands for, by their hashes. */
  sources: string;
  place: string;
  area: string;
  kind: string;
  change: string;
  level: (typeof LEVELS)[number];
  by: string;
  seconds: number;
};

/** For one mutation, of a machine with nothing else to do; up to five times as long where it is that much slower. */
const LIMIT_MS = 60_000;
/** What nobody noticed in time. */
const isUnfound = ({ level }: Result) => level === "late" || level === "nobody";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "4" },
    count: { type: "string", default: "100" },
    /** Tries only those again that an earlier commit's tests did not find. */
    unfound: { type: "boolean", default: false },
    /** Does without the test files that have no record, where the machine has no time for all. */
    recorded: { type: "boolean", default: false },
  },
});
const resultsFile = path.join(KEPT, `seed-${values.seed}.jsonl`);
const trees = ["lib", "tests/unit", "tests/integration", "tests/field", "tests/support"].map((folder) => `HEAD:${folder}`);
const sources = execFileSync("git", ["rev-parse", ...trees], { cwd: ROOT, encoding: "utf8" }).replaceAll(/(.{8}).*\s/g, "$1 ");

const inWords = ({ level, place, kind, change, by, seconds }: Result) =>
  `${level} (${seconds} s): ${place}, ${kind}: ${change}${by && `\n    ${by}`}`;

makeCopy();
const runner = new TestRunner("mutate");
try {
  if (!values.recorded) await recordMissing();
  const { records } = readRecords();
  const kept = existsSync(resultsFile)
    ? readFileSync(resultsFile, "utf8")
        .trim()
        .split("\n")
        .map((line): Result => JSON.parse(line))
    : [];
  const results: Result[] = [];
  for (const mutation of sampleMutations(COPY, Number(values.seed), Number(values.count))) {
    const [place, change] = [`${mutation.file}:${mutation.line}`, changeOf(mutation)];
    const earlier = kept.findLast((result) => result.place === place && result.change === change);
    const stands = earlier && (earlier.sources === sources || (values.unfound && !isUnfound(earlier)));
    const result = stands ? earlier : { sources, place, change, ...(await tryMutation(mutation, testsOf(records, mutation))) };
    results.push(result);
    if (stands) continue;
    appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
    process.stdout.write(`${results.length}/${values.count} ${inWords(result)}\n`);
  }
  for (const by of ["area", "kind"] as const) printTable(results, by);
  for (const result of results.filter(isUnfound)) process.stdout.write(`${inWords(result)}\n`);
} finally {
  await runner.stop();
  removeCopy();
}

/** Runs the test files that have no record, with what they call counted. */
async function recordMissing(): Promise<void> {
  const { missing } = readRecords();
  if (missing.length === 0) return;
  process.stdout.write(`Recording what ${missing.length} test files call\n`);
  const recorder = new TestRunner("record");
  await recorder.start();
  await recorder.run({ files: missing, changed: null });
  await recorder.stop();
}

async function tryMutation(
  { file, start, end, text, area, kind }: Mutation,
  tests: string[],
): Promise<Omit<Result, "sources" | "place" | "change">> {
  const source = readFileSync(path.join(COPY, file), "utf8");
  await runner.start();
  const began = Date.now();
  const [level, by] = await whileChanged(
    file,
    source.slice(0, start) + text + source.slice(end),
    async (): Promise<[Result["level"], string]> => {
      // Most that lack an await have a promise in a value's place: the compiler says so sooner than a test.
      if (kind === "await removed" && !typesHold()) return ["types", ""];
      const failed =
        tests.length > 0 ? await runner.run({ files: tests, changed: file }, Math.round(LIMIT_MS * Math.min(5, measureSlowness()))) : null;
      if (failed && failed !== "late")
        return [failed.file.startsWith("tests/unit/") ? "unit" : "integration", `${failed.file}: ${failed.test}`];
      if (!typesHold()) return ["types", ""];
      return failed ? ["late", `of ${tests.length} test files`] : ["nobody", `${tests.length} test files pass`];
    },
  );
  return { area, kind, level, by, seconds: Math.round((Date.now() - began) / 1000) };
}

function changeOf({ file, start, end, text }: Mutation): string {
  const short = (code: string) => code.replace(/\s+/g, " ").slice(0, 100);
  return `${short(readFileSync(path.join(COPY, file), "utf8").slice(start, end))} → ${short(text)}`;
}

function printTable(results: Result[], by: "area" | "kind"): void {
  const rows = [...new Set(results.map((result) => result[by])), "all"].map((name) => {
    const of = results.filter((result) => name === "all" || result[by] === name);
    return [name, ...LEVELS.map((level) => of.filter((result) => result.level === level).length), of.length];
  });
  for (const [name, ...counts] of [[by, ...LEVELS, "all"], ...rows])
    process.stdout.write(`${String(name).padEnd(20)}${counts.map((count) => String(count).padStart(12)).join("")}\n`);
  process.stdout.write("\n");
}

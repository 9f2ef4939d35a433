import { availableParallelism } from "node:os";
import path from "node:path";
import process from "node:process";
import { createVitest, type TestModule, type TestSpecification } from "vitest/node";
import { keepRecord } from "./records.ts";

// A process that runs test files of the copy, in which it is started, again and again: its PostgreSQL and what Vite compiled stay. Its parent
// kills it where a mutation makes a test run forever.

/** What it is asked: test files in their order, after a change of a file. */
export type Order = { files: string[]; changed: string | null };
/** The first test that failed, which is what it answers; null where none did, and once it is ready. */
export type Failed = { file: string; test: string } | null;

/** Keeps the order that was asked for. */
class AsAsked {
  shard = (files: TestSpecification[]) => files;
  sort = (files: TestSpecification[]) => files.toSorted((one, other) => order.indexOf(one.moduleId) - order.indexOf(other.moduleId));
}

const records = process.argv[2] === "record";
let order: string[] = [];
let failed: Failed = null;

function onTestModuleEnd(module: TestModule): void {
  const passed = module.state() !== "failed";
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  if (records) keepRecord(module.relativeModuleId, passed, Math.round(duration + collectDuration + setupDuration));
  if (passed) return;
  const [test] = [...module.children.allTests("failed")];
  failed ??= { file: module.relativeModuleId, test: test?.fullName ?? module.errors()[0]?.message ?? "outside its tests" };
}

const vitest = await createVitest({
  root: process.cwd(),
  watch: false,
  project: ["unit", "integration"],
  tagsFilter: ["!deep"],
  maxWorkers: records ? availableParallelism() : 1,
  bail: records ? 0 : 1,
  reporters: [{ onTestModuleEnd }],
  sequence: { sequencer: AsAsked },
});
if (records) for (const { config } of vitest.projects) config.setupFiles.push(path.join(import.meta.dirname, "record-calls.ts"));

process.on("message", async ({ files, changed }: Order) => {
  if (changed) vitest.invalidateFile(path.resolve(changed));
  order = files.map((file) => path.resolve(file));
  failed = null;
  const asked = await vitest.getRelevantTestSpecifications();
  const { unhandledErrors } = await vitest.runTestSpecifications(asked.filter(({ moduleId }) => order.includes(moduleId)));
  if (!failed && unhandledErrors.length > 0) failed = { file: files.join(" "), test: "outside the tests" };
  process.send?.(failed);
});
// The parent is done, or gone.
process.on("disconnect", () => void vitest.close().finally(() => process.exit()));
process.send?.(failed);

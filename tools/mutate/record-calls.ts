import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import path from "node:path";
import { afterAll, expect } from "vitest";
import { calledFunctions, recordPath } from "./records.ts";

// A setup file of the recording run: writes which of the product's functions a test file called, in this process. The processes that it
// starts write theirs themselves, those apart that are killed.

const place = globalThis as typeof globalThis & { profiler?: Session };
if (!place.profiler) {
  place.profiler = new Session();
  place.profiler.connect();
  await place.profiler.post("Profiler.enable");
  await place.profiler.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
}
const { profiler } = place;
const testFile = path.relative(process.cwd(), expect.getState().testPath ?? "");

process.env.NODE_V8_COVERAGE = recordPath(testFile, "children");
await profiler.post("Profiler.takePreciseCoverage"); // forgets what the file before called

afterAll(async () => {
  const { result } = await profiler.post("Profiler.takePreciseCoverage");
  writeFileSync(recordPath(testFile, "here"), JSON.stringify(calledFunctions(result)));
});

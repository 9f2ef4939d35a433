import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";

const setupFiles = ["tests/support/quiet-console.ts", "tests/support/kept-environment.ts"];
/** Files share processes; each of those that measure has its own. */
const shared = { isolate: false, setupFiles: ["tests/support/fresh-file.ts", ...setupFiles] };
const globalSetup = ["tests/support/postgres-server.ts"];

const files = globSync("tests/{unit,integration,field,deep}/**/*.test.ts").map((file) => ({ file, text: readFileSync(file, "utf8") }));
const filesWith = (pattern: RegExp, folder = ""): string[] =>
  files.filter(({ file, text }) => file.startsWith(`tests/${folder}`) && pattern.test(text)).map(({ file }) => file);

/** Tests that assert a pace, beside behaviour or alone (tests/support/pace.ts): one after the other, with nothing beside them. */
const WITH_PACE = filesWith(/"#tests\/support\/pace"/);
/** Tests of the quick suite that take all values, or both receivers, in the deep one (tests/support/sample.ts). */
const WITH_SAMPLES = ["unit/", "integration/", "field/"].flatMap((folder) =>
  filesWith(/\b(matrixSample|ofEachKind|atSize|receiversUnderTest)\(/, folder),
);
/** Tests that only the deep suite runs, among others of their subject. */
const WITH_DEEP = filesWith(/tags: \["deep"\]/);

const environment = {
  LOG_LEVEL: "silent",
  // Processes that the tests start find our modules compiled.
  NODE_COMPILE_CACHE: path.resolve("node_modules/.cache/compiled"),
};
const deepEnvironment = { ...environment, TEST_DEEP: "on" };

/** A part of the deep suite. */
const deep = (name: string, include: string[]) => ({
  extends: true as const,
  test: { ...shared, name, include, exclude: WITH_PACE, globalSetup, env: deepEnvironment, testTimeout: 600_000, hookTimeout: 300_000 },
});

export default defineConfig({
  test: {
    // A third of the time of the integration tests is waiting, for a lock, a process or a limit: with one worker more than
    // cores, the processor is what binds the run.
    maxWorkers: availableParallelism() + 1,
    // Wide: a limit costs nothing while all is well, and a slow machine fails no test.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    tags: [{ name: "deep", description: "only in npm run test:deep" }],
    strictTags: true,
    projects: [
      { extends: true, test: { ...shared, name: "unit", include: ["tests/unit/**/*.test.ts"], env: environment } },
      {
        extends: true,
        test: { ...shared, name: "integration", include: ["tests/{integration,field}/**/*.test.ts"], globalSetup, env: environment },
      },
      deep("processes", ["tests/deep/processes/*.test.ts"]),
      deep("outages", ["tests/deep/outages/*.test.ts"]),
      deep("histories", ["tests/deep/histories/*.test.ts"]),
      deep("tagged", WITH_DEEP),
      deep("variants", ["tests/deep/variants/*.test.ts", ...WITH_SAMPLES]),
      deep("senders", ["tests/deep/senders/*.test.ts"]),
      deep("api", ["tests/deep/api/*.test.ts"]),
      deep("engines", ["tests/deep/engines/*.test.ts"]),
      {
        extends: true,
        test: {
          name: "pace",
          include: ["tests/deep/pace/*.test.ts", ...WITH_PACE],
          setupFiles,
          globalSetup,
          env: { ...deepEnvironment, TEST_PACE: "on" },
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});

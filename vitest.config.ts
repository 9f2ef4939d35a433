import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";

const setupFiles = ["tests/support/quiet-console.ts", "tests/support/kept-environment.ts"];
/** Files of the quick suite share processes; each of the load tests has its own. */
const shared = { isolate: false, setupFiles: ["tests/support/fresh-file.ts", ...setupFiles] };
const globalSetup = ["tests/support/postgres-server.ts"];

/** Tests of behaviour that assert a pace as well when they run alone (tests/support/load.ts). */
const WITH_PACE = globSync("tests/{unit,integration}/**/*.test.{ts,tsx}").filter((file) =>
  readFileSync(file, "utf8").includes('"#tests/support/load"'),
);

export default defineConfig({
  test: {
    // A third of the time of the integration tests is waiting, for a lock, a process or a limit: with one worker more than
    // cores, the processor is what binds the run.
    maxWorkers: availableParallelism() + 1,
    // Wide: a limit costs nothing while all is well, and a slow machine fails no test.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: { ...shared, name: "unit", include: ["tests/unit/**/*.test.ts"], env: { LOG_LEVEL: "silent" } },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          globalSetup,
          // Processes that the tests start find our modules compiled.
          env: { LOG_LEVEL: "silent", NODE_COMPILE_CACHE: path.resolve("node_modules/.cache/compiled") },
        },
      },
      {
        extends: true,
        test: {
          name: "load",
          include: ["tests/load/**/*.test.ts", ...WITH_PACE],
          setupFiles,
          globalSetup,
          env: { LOG_LEVEL: "silent", TEST_LOAD: "on" },
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});

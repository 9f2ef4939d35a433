import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const setupFiles = ["tests/support/quiet-console.ts"];
const globalSetup = ["tests/support/postgres-server.ts"];

/** Tests of behaviour that assert a pace as well when they run alone (tests/support/load.ts). */
const WITH_PACE = globSync("tests/{unit,integration}/**/*.test.{ts,tsx}").filter((file) =>
  readFileSync(file, "utf8").includes('"#tests/support/load"'),
);

export default defineConfig({
  test: {
    // The tests are bound by the processor; one worker more than cores, because some wait for a lock or a process.
    maxWorkers: availableParallelism() + 1,
    // Wide: a limit costs nothing while all is well, and a slow machine fails no test.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["tests/unit/**/*.test.ts"], setupFiles, env: { LOG_LEVEL: "silent" } },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          setupFiles,
          globalSetup,
          env: { LOG_LEVEL: "silent" },
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

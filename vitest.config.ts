import { defineConfig } from "vitest/config";

const setupFiles = ["tests/support/quiet-console.ts"];

export default defineConfig({
  test: {
    // Most of the time is spent waiting: for locks to end, for processes to start.
    maxWorkers: 4,
    testTimeout: 20_000,
    hookTimeout: 60_000,
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
          globalSetup: ["tests/support/postgres-server.ts"],
          env: { LOG_LEVEL: "silent" },
        },
      },
      {
        extends: true,
        test: {
          name: "load",
          include: ["tests/load/**/*.test.ts"],
          setupFiles,
          globalSetup: ["tests/support/postgres-server.ts"],
          env: { LOG_LEVEL: "silent" },
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});

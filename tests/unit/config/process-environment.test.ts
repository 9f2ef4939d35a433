import { expect, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { completeEnvironment } from "#lib/installation/process-environment";
import { TEST_ENV } from "#tests/support/environment";
import { temporaryFolder } from "#tests/support/temporary-folder";

test.each([
  ["", "16"],
  ["4", "4"],
])("with UV_THREADPOOL_SIZE=%s, web and worker start with %s threads for look-ups and files", (given, size) => {
  resetEnv({ ...TEST_ENV, DATABASE_URL: "postgresql://db/x", DATA_DIR: temporaryFolder(), UV_THREADPOOL_SIZE: given });
  completeEnvironment("production", undefined);
  expect(process.env.UV_THREADPOOL_SIZE).toBe(size);
});

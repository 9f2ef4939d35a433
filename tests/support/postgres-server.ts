import { readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { findLockHolder, takeLock } from "#lib/config/process-lock";
import { findPostmaster } from "#lib/db/embedded/postmaster";
import { startEmbeddedPostgres } from "#lib/db/embedded-postgres";
import { migrate } from "#lib/db/migrate";
import { makeOpenFolder } from "./open-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The migrated template database; every test file works on a copy. */
    templateUrl: string;
  }
}

const PREFIX = "signalbox-test-";

/** One PostgreSQL for the whole test run, with one migrated template database; gone afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  removeLeftovers();
  const folder = makeOpenFolder(PREFIX);
  takeLock(path.join(folder, "run.lock"), "a test run");
  const server = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0, database: "template", durable: false });
  const end = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await migrate(server.url);
  } catch (error) {
    await end(); // a run that fails here is never asked to tear down
    throw error;
  }
  project.provide("templateUrl", server.url);
  return end;
}

/** A run that was killed leaves its server running: end it by the pid in its own folder, and remove the folder. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = path.join(tmpdir(), name);
    if (findLockHolder(path.join(folder, "run.lock"))) continue;
    const server = findPostmaster(path.join(folder, "postgres"));
    if (server) process.kill(server.pid, "SIGQUIT");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

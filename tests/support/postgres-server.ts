import { readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { migrate } from "#lib/db/migrate";
import { findPostmaster } from "#lib/installation/embedded/postmaster";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { findLockHolder, takeLock } from "#lib/installation/lock/process-lock";
import { makeOpenFolder } from "./open-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The migrated template databases, one for each worker of the run; every test file works on a copy. */
    templateUrls: string[];
  }
}

const PREFIX = "signalbox-test-";

/**
 * A PostgreSQL for each worker of the test run, with a migrated template
 * database; gone afterwards. One each: another file's tests may hold locks
 * and connections for long.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  removeLeftovers();
  const folder = makeOpenFolder(PREFIX);
  takeLock(path.join(folder, "run.lock"), "a test run");
  const started: EmbeddedPostgres[] = [];
  const end = async () => {
    await Promise.all(started.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const starts = await Promise.allSettled(
      Array.from({ length: project.globalConfig.maxWorkers }, async (_, worker) => {
        const directory = path.join(folder, `postgres-${worker}`);
        const server = await startEmbeddedPostgres({ directory, port: 0, database: "template", durable: false });
        started.push(server);
        await migrate(server.url);
      }),
    );
    for (const start of starts) if (start.status === "rejected") throw start.reason;
  } catch (error) {
    await end(); // a run that fails here is never asked to tear down
    throw error;
  }
  project.provide(
    "templateUrls",
    started.map(({ url }) => url),
  );
  return end;
}

/** A run that was killed leaves its server running: end it by the pid in its own folder, and remove the folder. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = path.join(tmpdir(), name);
    if (findLockHolder(path.join(folder, "run.lock"))) continue;
    for (const directory of readdirSync(folder).filter((entry) => entry.startsWith("postgres"))) {
      const server = findPostmaster(path.join(folder, directory));
      if (server) process.kill(server.pid, "SIGQUIT");
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

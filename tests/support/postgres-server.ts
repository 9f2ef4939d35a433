import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "#lib/db/migrate";
import { findPostmaster } from "#lib/installation/embedded/postmaster";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { findLockHolder, takeLock } from "#lib/installation/process-lock";
import { hasMemoryDisk, MEMORY_DISK } from "./memory-disk.ts";
import { makeOpenFolder } from "./open-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The migrated template databases, one for each worker of the run; every test file works on a copy. */
    templateUrls: string[];
    /** The folder for the tests' own temporary files. */
    temporary: string;
  }
}

const PREFIX = "signalbox-test-";

/**
 * A PostgreSQL for each worker of the test run, with a migrated template
 * database; gone afterwards. One each: another file's tests may hold locks
 * and connections for long. They lie in memory where there is room for them:
 * a database is a thousand files, and most of a short test file's time went
 * into making them on a disk. What the deep suite measures is on the disk.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  for (const place of [tmpdir(), MEMORY_DISK]) if (existsSync(place)) removeLeftovers(place);
  const folder = makeOpenFolder(PREFIX, project.name !== "pace" && hasMemoryDisk() ? MEMORY_DISK : tmpdir());
  takeLock(path.join(folder, "run.lock"), "a test run");
  const temporary = path.join(folder, "tmp");
  mkdirSync(temporary);
  chmodSync(temporary, 0o1777);
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
        await cheapenPassword(server.url);
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
  project.provide("temporary", temporary);
  return end;
}

/** A run that was killed leaves its server running: end it by the pid in its own folder, and remove the folder. */
function removeLeftovers(place: string): void {
  for (const name of readdirSync(place).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = path.join(place, name);
    if (findLockHolder(path.join(folder, "run.lock"))) continue;
    for (const directory of readdirSync(folder).filter((entry) => entry.startsWith("postgres"))) {
      const server = findPostmaster(path.join(folder, directory));
      if (server) process.kill(server.pid, "SIGQUIT");
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Hashes the password once in place of 4,096 times: the tests open some two thousand connections. */
async function cheapenPassword(url: string): Promise<void> {
  const { username, password } = new URL(url);
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`SET scram_iterations = 1; ALTER ROLE ${pg.escapeIdentifier(username)} PASSWORD ${pg.escapeLiteral(password)}`);
  await client.end();
}

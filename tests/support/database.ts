import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { resetEnv } from "#lib/config/env";
import { closeListening } from "#lib/db/notifications";
import { closePools } from "#lib/db/pool";
import { TEST_ENV } from "./environment.ts";
import { MEMORY_DISK } from "./memory-disk.ts";

/**
 * Gives the test file a database of its own, a copy of the migrated template,
 * and the environment to go with it. Call it once, at the top of the file.
 *
 * @param extra further environment variables, for example SANDBOX
 * @returns the copy's address, known once the tests run
 */
export function useDatabase(extra: Record<string, string> = {}): { url: () => string } {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const address = new URL(templateUrl());
  const template = address.pathname.slice(1);
  address.pathname = `/${name}`;
  const dataDir = path.join(tmpdir(), `signalbox-${name}`);

  beforeAll(async () => {
    await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${pg.escapeIdentifier(template)} STRATEGY ${STRATEGY}`);
    resetEnv({ ...TEST_ENV, DATABASE_URL: address.href, DATA_DIR: dataDir, ...extra });
  });

  afterAll(async () => {
    await closeListening();
    await closePools();
    rmSync(dataDir, { recursive: true, force: true });
    await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });

  return { url: () => address.href };
}

/** Files are copied twice as fast in memory, and half as fast on a disk. */
const STRATEGY = inject("temporary")?.startsWith(MEMORY_DISK) ? "FILE_COPY" : "WAL_LOG";

/** The template on this worker's own server. */
function templateUrl(): string {
  const urls = inject("templateUrls");
  const worker = Number(process.env.VITEST_POOL_ID ?? 1);
  return urls[(worker - 1) % urls.length] ?? "";
}

const place = globalThis as typeof globalThis & { administrator?: pg.Pool };

/** Runs one statement on the server, outside any test's database, over a connection that all files of this process share. */
async function asAdmin(sql: string): Promise<void> {
  place.administrator ??= connectAsAdmin();
  await place.administrator.query(sql);
}

function connectAsAdmin(): pg.Pool {
  const admin = new URL(templateUrl());
  admin.pathname = "/postgres";
  const pool = new pg.Pool({ connectionString: admin.href, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  pool.on("error", () => undefined); // the next statement connects anew
  return pool;
}

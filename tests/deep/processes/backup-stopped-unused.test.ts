import { rmSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { resetEnv } from "#lib/config/env";
import { isServerRunning } from "#lib/installation/embedded/postmaster";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { supervisorLock } from "#lib/installation/process-environment";
import { findLockHolder, takeLock } from "#lib/installation/process-lock";
import { stopUnused } from "#lib/processes/with-installation";
import { makeOpenFolder } from "#tests/support/open-folder";

const folder = makeOpenFolder("signalbox-unused-");
let database: EmbeddedPostgres;
let leave: () => Promise<void> | void = () => {};

beforeAll(async () => {
  resetEnv({ DATA_DIR: folder });
  database = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0, durable: false });
});

afterEach(() => leave());

afterAll(async () => {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("the server that a backup started", () => {
  it("goes on when Signalbox was started meanwhile", async () => {
    const taken = takeLock(supervisorLock(), "http://localhost:3000");
    if (taken.outcome === "locked") leave = taken.release;
    await stopUnused(database);
    expect(isServerRunning(database.directory)).toBe(true);
    expect(findLockHolder(supervisorLock())).toMatchObject({ note: "http://localhost:3000" });
  });

  it("goes on when somebody else is connected", async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    leave = () => client.end();
    await stopUnused(database);
    expect((await client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    expect(findLockHolder(supervisorLock())).toBeNull();
  });

  it("is stopped when nobody uses it, also just after a connection was cut", async () => {
    const cut = new pg.Client({ connectionString: database.url });
    cut.on("error", () => undefined);
    await cut.connect();
    cut.connection.stream.destroy();
    await stopUnused(database);
    expect(isServerRunning(database.directory)).toBe(false);
  });
});

import { execFileSync, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { mayMount } from "#tests/support/limited-disk";
import { makeOpenFolder } from "#tests/support/open-folder";

/** Prepares a database in a folder as `npm start` does, and ends. */
function start(dataDir: string): { code: number | null; words: string } {
  const { PATH = "", HOME = "" } = process.env;
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "lib/processes/start.ts", "--only=migrate"],
    {
      env: { PATH, HOME, NODE_ENV: "production", DATA_DIR: dataDir },
      encoding: "utf8",
      timeout: 60_000,
    },
  );
  return { code: status, words: stderr };
}

/** A folder on a disk of its own. */
function mounted(options: string): string {
  const folder = makeOpenFolder("signalbox-start-");
  execFileSync("mount", ["-t", "tmpfs", "-o", `mode=0777,${options}`, "tmpfs", folder]);
  onTestFinished(() => {
    execFileSync("umount", [folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

describe("a start that can't write DATA_DIR says so, and what to do", () => {
  it.runIf(mayMount())("on a read-only disk", () => {
    const folder = mounted("ro");
    const { code, words } = start(folder);
    expect(words).toContain(`DATA_DIR (${folder}) can't be written: its file system is read-only. Make it writable for this account`);
    expect(code).toBe(1);
  });

  it.runIf(mayMount())(
    "on a full disk, and leaves nothing half made",
    () => {
      const folder = mounted("size=20m");
      const { code, words } = start(folder);
      expect(words).toContain(`The disk of DATA_DIR (${folder}) is full. Nothing is lost: free some space and start again.`);
      expect(code).toBe(1);
      execFileSync("mount", ["-o", "remount,size=200m", folder]);
      expect(start(folder)).toMatchObject({ code: 0 });
    },
    120_000,
  );

  it("under a file", () => {
    const folder = makeOpenFolder("signalbox-start-");
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    const { code, words } = start(path.join(file, "data"));
    expect(words).toContain("can't be written: a part of its path is a file.");
    expect(code).toBe(1);
  });
});

describe("a worker of its own", () => {
  const { url } = useDatabase();

  it("doesn't work on a database that its version has not prepared, and says who prepares it", async () => {
    const { rows } = await pool().query<{ name: string }>(
      "DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations) RETURNING migration_name AS name",
    );
    const { status, stderr } = spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", "lib/processes/worker.ts"], {
      env: { ...process.env, ...TEST_ENV, NODE_ENV: "production", DATABASE_URL: url(), SANDBOX: "off" },
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(stderr).toContain(`The database lacks migrations of this version, the first is ${rows[0]?.name}.`);
    expect(stderr).toContain("npm start");
    expect(status).toBe(1);
  }, 90_000);
});

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "#tests/support/temporary-folder";

const PROGRAMS: [file: string, ...args: string[]][] = [
  ["backups/backup", "signalbox.backup"],
  ["vault-rotate"],
  ["views-rebuild"],
  ["password-reset", "ada@example.com"],
];

it.each(PROGRAMS)("%s makes no installation where there is none: it says how to name the running one", (file, ...args) => {
  const dataDir = path.join(temporaryFolder(), "data");
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [`lib/processes/${file}.ts`, ...args], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, NODE_ENV: "production", DATA_DIR: dataDir },
    encoding: "utf8",
    timeout: 60_000,
  });
  expect(stdout + stderr).toContain(`There is no installation in ${dataDir}. Nothing was created. Set DATA_DIR or DATABASE_URL`);
  expect(status).toBe(1);
  expect(existsSync(dataDir)).toBe(false);
});

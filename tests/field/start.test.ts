import { spawnSync } from "node:child_process";
import { chownSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeOpenFolder } from "#tests/support/open-folder";

function makeFolder(): string {
  const folder = makeOpenFolder("signalbox-field-");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const run = (args: string[], { uid, env = {} }: { uid?: number; env?: Record<string, string> } = {}) => {
  const { PATH = "", HOME = "", NODE_COMPILE_CACHE } = process.env;
  const options = { env: { PATH, HOME, NODE_COMPILE_CACHE, NODE_ENV: "production" as const, ...env }, ...(uid && { uid, gid: uid }) };
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], {
    encoding: "utf8",
    ...options,
  });
  return { words: stdout + stderr, status };
};

const MAKE_DATABASE = `
  import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
  await startEmbeddedPostgres({ directory: process.env.WHERE, port: 0 }).catch(({ message }) => console.log(message));`;

// docker-library/postgres#359: a container that runs with a user ID of its own.
it.runIf(process.getuid?.() === 0)("a user ID without an entry in /etc/passwd is told what PostgreSQL needs", () => {
  const folder = makeFolder();
  const uid = 42_424;
  chownSync(folder, uid, uid);
  const { words } = run(["--input-type=module", "-e", MAKE_DATABASE], { uid, env: { WHERE: path.join(folder, "postgres") } });
  expect(words).toMatch(
    /^This process runs as the user ID 42424, which has no entry in \/etc\/passwd: .* set DATABASE_URL to a PostgreSQL of your own\.$/m,
  );
  expect(words).not.toContain("initdb");
});

const IS_FILE = "it is a file. Move the file away";

it.each([
  ["start", ["start.ts", "--only=migrate"], ".", IS_FILE],
  ["start, where it is in a file", ["start.ts", "--only=migrate"], "deeper", "a part of its path is a file. Move that file away"],
  ["the doctor", ["doctor.ts"], ".", IS_FILE],
  ["a worker", ["worker.ts"], ".", IS_FILE],
  ["a backup", ["backups/backup.ts", "x.backup"], ".", IS_FILE],
  ["a restore", ["backups/restore.ts", "x.backup"], ".", IS_FILE],
])("a DATA_DIR that is a file is named as that by %s", (_, [program, ...args], place, why) => {
  const file = path.join(makeFolder(), "data");
  writeFileSync(file, "");
  const folder = path.join(file, place);
  const { words, status } = run([`lib/processes/${program}`, ...args], { env: { DATA_DIR: folder } });
  expect(words).toContain(`DATA_DIR (${folder}) can't be written: ${why}, or set DATA_DIR to another folder.`);
  expect(words).not.toMatch(/\n\s+at /);
  expect(status).toBe(1);
});

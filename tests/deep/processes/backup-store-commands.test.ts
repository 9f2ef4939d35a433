import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Decrypter } from "age-encryption";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openObjectStore } from "#lib/backup/object-store";
import { parseEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { makeExampleWorld } from "#tests/support/example-world";
import { makeOpenFolder } from "#tests/support/open-folder";
import { type S3Server, startS3Server } from "#tests/support/s3-server";
import { useSecondCluster } from "#tests/support/second-cluster";

const first = useDatabase();
const second = useSecondCluster();
const ROOT = path.resolve(import.meta.dirname, "../../..");
const folder = makeOpenFolder("signalbox-store-commands-");
let s3: S3Server;

beforeAll(async () => {
  s3 = await startS3Server();
  await makeExampleWorld("commands");
  await pool().query("DELETE FROM views WHERE kind = 'record'"); // the example's is of no event
});

afterAll(() => s3.close());

/** Runs `signalbox backup` or `restore`, as the package does. */
async function run(command: "backup" | "restore", args: string[], environment: Record<string, string> = {}) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", `lib/processes/backups/${command}.ts`, ...args], {
    cwd: ROOT,
    env: {
      ...{ PATH, NODE_COMPILE_CACHE, ...TEST_ENV, ...s3.environment, NODE_ENV: "production" as const },
      ...{ DATABASE_URL: first.url(), DATA_DIR: folder, ...environment },
    },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  expect(text).not.toMatch(/S3RVER|CQkJCQ/);
  return { code, text };
}

const nothingLeft = () => expect(readdirSync(folder).filter((name) => name.startsWith("backup-transfer"))).toEqual([]);

test("a backup goes to the store, is listed, is checked, and is restored elsewhere from there", { timeout: 180_000 }, async () => {
  expect(await run("restore", ["--list"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("There is no backup in s3://backups/signalbox"),
  });
  const made = await run("backup", ["s3://"]);
  expect(made).toMatchObject({ code: 0, text: expect.stringContaining("sealed with the key b1 of BACKUP_KEY") });
  const [object = ""] = /s3:\/\/backups\/signalbox\/signalbox-\S+\.backup/.exec(made.text) ?? [];
  expect((await run("restore", ["--list"])).text).toContain(`${object}  `);
  expect(await run("restore", [object, "--check"])).toMatchObject({ code: 0, text: expect.stringMatching(/ tables, complete/) });
  expect((await run("restore", [object, "--check"])).text).toMatch(/sealed by http:\S+, made 2\d{3}-/);
  const restored = await run("restore", [object], { DATABASE_URL: await second.createDatabase() });
  expect(restored.text).toContain("restored; every table was read back and matches the backup");
  expect(restored.text).toContain("the stored secrets can be decrypted");
  nothingLeft();

  // Brought over by other means: its name is what it was sealed for.
  const settings = parseEnv({ ...s3.environment }).backup?.store;
  if (!settings) throw new Error("no store");
  const store = await openObjectStore(settings);
  const name = path.basename(object);
  const bytes = Buffer.concat(await Array.fromAsync(store.get(name, new AbortController().signal)));
  store.close();
  // Opened by age alone, as docs/maintenance.md says.
  const identity = path.join(folder, "identity.txt");
  expect(await run("backup", ["--identity"])).toMatchObject({ code: 1, text: expect.stringContaining("only shown on a terminal") });
  const given = await run("backup", ["--identity", identity]);
  expect(given).toMatchObject({ code: 0, text: expect.not.stringContaining("AGE-SECRET-KEY") });
  expect(statSync(identity).mode & 0o777).toBe(0o600);
  expect(await run("backup", ["--identity", identity])).toMatchObject({ code: 1, text: expect.stringContaining("already exists") });
  const decrypter = new Decrypter();
  decrypter.addIdentity(/^AGE-SECRET-KEY-1\w+$/m.exec(readFileSync(identity, "utf8"))?.[0] ?? "");
  const opened = path.join(folder, "opened-by-age.backup");
  writeFileSync(opened, await decrypter.decrypt(new Uint8Array(bytes)));
  expect(await run("restore", [opened, "--check"])).toMatchObject({ code: 0, text: expect.stringMatching(/ tables, complete/) });
  for (const each of [name, "renamed.backup"]) writeFileSync(path.join(folder, each), bytes);
  expect(await run("restore", [path.join(folder, name), "--check"])).toMatchObject({ code: 0 });
  expect(await run("restore", [path.join(folder, "renamed.backup"), "--check"])).toMatchObject({
    code: 1,
    text: expect.stringContaining(`it was made as ${name}`),
  });
  const other = { BACKUP_KEY: `b2:${Buffer.alloc(32, 1).toString("base64")}` };
  expect(await run("restore", [object, "--check"], other)).toMatchObject({
    code: 1,
    text: expect.stringContaining("sealed with the key b1"),
  });
  nothingLeft();
});

test("a database that was brought back to an earlier moment goes on above every cursor handed out since", { timeout: 60_000 }, async () => {
  const clock = async () =>
    Number((await pool().query<{ at: string }>('SELECT coalesce(max("offset"), 0) AS at FROM log_clock')).rows[0]?.at);
  const before = await clock();
  const done = await run("restore", ["--point-in-time"]);
  expect(done.text).toContain("the log's clock was raised");
  expect(done.text).toContain("events replayed");
  expect((await clock()) - before).toBeGreaterThan(4_000_000_000);
});

test("without settings, or with a name that is none, it says what to do", { timeout: 60_000 }, async () => {
  const none = Object.fromEntries(Object.keys(s3.environment).map((name) => [name, ""]));
  expect(await run("backup", ["s3://"], none)).toMatchObject({ code: 1, text: expect.stringContaining("Set BACKUP_S3_URL") });
  expect(await run("restore", ["s3://"])).toMatchObject({ code: 1, text: expect.stringContaining("is not a backup in the store") });
  expect(await run("restore", ["s3://backups/signalbox/none.backup"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("There is no such object in the store."),
  });
  expect(await run("backup", ["s3://UPPER"])).toMatchObject({ code: 1, text: expect.stringContaining("is not a place in a store") });
});

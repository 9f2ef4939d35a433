import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, cpSync, globSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { findFreePort } from "#lib/installation/embedded/postmaster";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { figure } from "#tests/support/figure";
import { makeOpenFolder } from "#tests/support/open-folder";
import { expectPace } from "#tests/support/pace";
import { ROOT } from "../../../tools/run-command.ts";

// `npm pack` as a release does it, and its package as the Dockerfile lays it out: what an image holds beyond its base, and how
// it starts.

const IMAGE_MEGABYTES = 350;
const SECOND_START_MS = 5000;
/** The image's user. Only root can start a process as somebody else. */
const USER = process.getuid?.() === 0 ? { uid: 65532, gid: 65532 } : {};

const { url } = useDatabase();
const folder = makeOpenFolder("signalbox-image-");
const image = path.join(folder, "package/dist");
const data = path.join(folder, "data");

beforeAll(async () => {
  const pack = spawn("npm", ["pack", "--loglevel=error", "--pack-destination", folder], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((resolve) => pack.once("close", resolve));
  expect(code).toBe(0);
  const [packed = ""] = globSync("*.tgz", { cwd: folder });
  execFileSync("tar", ["--extract", "--no-same-owner", "--file", packed], { cwd: folder });
  // What `npm install` adds for the machine, and what the tests' own account must reach.
  cpSync(path.join(ROOT, "node_modules/@node-rs"), path.join(image, "node_modules/@node-rs"), { recursive: true });
  cpSync(process.execPath, path.join(folder, "node"));
  for (const own of [path.join(image, ".next/cache"), data]) {
    mkdirSync(own);
    if (USER.uid !== undefined) chownSync(own, USER.uid, USER.gid);
  }
}, 900_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts web and worker, and waits for the sign-in page. @returns how long it took */
async function start(): Promise<{ child: ChildProcess; milliseconds: number }> {
  const port = await findFreePort(0);
  const since = performance.now();
  const own = { NODE_ENV: "production" as const, LOG_LEVEL: "info", DATABASE_URL: url(), DATA_DIR: data, PORT: String(port) };
  const child: ChildProcess = spawn(path.join(folder, "node"), ["bin/signalbox.mjs", "all"], {
    ...USER,
    cwd: image,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...TEST_ENV, ...own, APP_URL: `http://localhost:${port}` },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const page = async () => (await fetch(`http://127.0.0.1:${port}/sign-in`)).status;
  await expect.poll(() => page().catch(() => 0), { timeout: 120_000, interval: 50 }).toBe(200);
  return { child, milliseconds: performance.now() - since };
}

const ended = (child: ChildProcess) => new Promise<unknown>((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));

test("an image holds at most 350 MB beyond its base", () => {
  const names = readdirSync(image, { recursive: true, encoding: "utf8" });
  const files = names.map((name) => lstatSync(path.join(image, name))).filter((each) => each.isFile());
  const megabytes = files.reduce((sum, { size }) => sum + size, 0) / 1_000_000;
  figure(`image: ${Math.round(megabytes)} MB in ${files.length} files`);
  expect(files.length).toBeGreaterThan(1000);
  expect(megabytes).toBeLessThan(IMAGE_MEGABYTES);
});

test("it holds every package that its server loads", () => {
  const modules = globSync("lib/**/*.js", { cwd: image }).map((file) => readFileSync(path.join(image, file), "utf8"));
  const named = modules.flatMap((text) => [...text.matchAll(/^import .*? from "([^".#][^"]*)"|import\("([^".#][^"]*)"\)/gm)]);
  const packages = [...new Set(named.map(([, one, other]) => one ?? other))];
  expect(packages).toEqual(expect.arrayContaining(["next", "pg", "@aws-sdk/client-s3", "@node-rs/argon2"]));
  const load = `for (const name of ${JSON.stringify(packages)}) await import(name);`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", load], { cwd: image, stdio: ["ignore", "pipe", "inherit"] });
});

test("it starts as a user who may write nothing of it, and again after a kill, on the same data, within 5 s", async () => {
  const first = await start();
  first.child.kill("SIGKILL");
  await ended(first.child);
  const second = await start();
  second.child.kill("SIGTERM");
  expect(await ended(second.child)).toBe(0);
  const third = await start();
  figure(`sign-in page after ${[first, second, third].map(({ milliseconds }) => `${Math.round(milliseconds)} ms`).join(", ")}`);
  expectPace(third.milliseconds, SECOND_START_MS);
}, 300_000);

import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import type { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { TEST_ENV } from "#tests/support/environment";

const ROOT = path.resolve(import.meta.dirname, "../../..");
/** Larger than what a pipe holds, 64 kB, and not the same number of bytes as of characters. */
const LINES = 3000;

/** A process that logs with the product's logger. @param words its program, after the logger was imported @param env added to its environment */
function runLogger(words: string, env: Record<string, string> = {}): ChildProcess & { stdout: Readable } {
  const program = `import { createLogger, logger } from "#lib/observability/logger"; ${words}`;
  const child: ChildProcess = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: ROOT,
    env: { ...process.env, ...TEST_ENV, NODE_ENV: "test", LOG_LEVEL: "info", ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child as ReturnType<typeof runLogger>;
}

const endOf = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once("exit", resolve));

test("a process whose reader has left exits, however much it still has to say", async () => {
  const child = runLogger(`
    process.on("message", () => {
      for (let i = 0; i < 100; i += 1) logger().info("line " + i);
      process.exit(7);
    });
    process.send("ready");`);
  const ended = endOf(child);
  child.stdout.destroy();
  child.once("message", () => child.send("go"));
  expect(await ended).toBe(7);
});

test("a process whose reader takes nothing exits", async () => {
  const child = runLogger(`
    for (let i = 0; i < ${LINES}; i += 1) logger().info({ i }, "€ sent");
    process.exit(7);`);
  expect(await endOf(child)).toBe(7);
});

/** Returns the numbers of the lines of a process that ended well. */
async function readLines(child: ReturnType<typeof runLogger>): Promise<number[]> {
  const ended = endOf(child);
  let said = "";
  child.stdout.setEncoding("utf8");
  for await (const chunk of child.stdout) said += String(chunk);
  expect(await ended).toBe(0);
  const lines = said.trimEnd().split("\n");
  return lines.map((line) => (JSON.parse(line) as { i: number }).i);
}

const ALL = Array.from({ length: LINES }, (_, i) => i);

test("every line of the last moment arrives", async () => {
  const child = runLogger(`
    for (let i = 0; i < ${LINES}; i += 1) logger().info({ i }, "€ sent");
    process.exit(0);`);
  expect(await readLines(child)).toEqual(ALL);
});

/** Words of a program that keeps Node's only thread for files busy for some 0.2 s. */
const BUSY = 'import { pbkdf2 } from "node:crypto"; pbkdf2("busy", "salt", 300_000, 64, "sha512", () => {});';

test("every line of the last moment arrives in order while the process's threads have other work", async () => {
  const child = runLogger(
    `${BUSY}
    for (let i = 0; i < ${LINES}; i += 1) logger().info({ i }, "€ sent");
    process.exit(0);`,
    { UV_THREADPOOL_SIZE: "1" },
  );
  expect(await readLines(child)).toEqual(ALL);
});

test("a line whose write was begun before the last moment is not mixed with the lines of the last moment", async () => {
  const child = runLogger(
    `${BUSY}
    logger().info({ i: 0 }, "€ sent");
    setTimeout(() => {
      for (let i = 1; i < ${LINES}; i += 1) logger().info({ i }, "€ sent");
      process.exit(0);
    }, 20);`,
    { UV_THREADPOOL_SIZE: "1" },
  );
  expect((await readLines(child)).toSorted((a, b) => a - b)).toEqual(ALL);
});

test("a logger that has written everything leaves nothing behind for the end of the process", async () => {
  const child = runLogger(`
    const before = process.listenerCount("exit");
    for (let i = 0; i < 20; i += 1) createLogger("each").info("line");
    process.once("beforeExit", () => process.exit(process.listenerCount("exit") - before));`);
  child.stdout.resume();
  expect(await endOf(child)).toBe(0);
});

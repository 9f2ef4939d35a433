import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { findLockHolder, processStart, takeLock } from "#lib/installation/process-lock";
import { temporaryFolder } from "#tests/support/temporary-folder";

const lockIn = (folder: string) => path.join(folder, "deep", "the.lock");

/** A pid that surely no process has any more. */
const deadPid = () => spawnSync(process.execPath, ["-e", ""]).pid;

test("who comes second is told who came first, and where that answers", () => {
  const file = lockIn(temporaryFolder());
  expect(takeLock(file, "http://localhost:3000").outcome).toBe("locked");
  expect(takeLock(file, "http://localhost:3001")).toMatchObject({
    outcome: "held",
    holder: { pid: process.pid, note: "http://localhost:3000" },
  });
});

test("a released lock is free", () => {
  const file = lockIn(temporaryFolder());
  const taken = takeLock(file, "");
  if (taken.outcome === "locked") taken.release();
  expect(existsSync(file)).toBe(false);
  expect(takeLock(file, "").outcome).toBe("locked");
});

test.each([
  ["a holder that was killed", () => ({ pid: deadPid(), startedAt: "once", note: "" })],
  ["another process with the dead holder's number", () => ({ pid: process.ppid, startedAt: "another boot/1", note: "" })],
  ["half a lock", () => null],
])("%s holds nothing", (_, holder) => {
  const file = lockIn(temporaryFolder());
  takeLock(file, "");
  writeFileSync(file, holder() === null ? '{"pid":' : JSON.stringify(holder()));
  expect(findLockHolder(file)).toBeNull();
  expect(takeLock(file, "").outcome).toBe("locked");
});

test("of many processes that take a dead lock at once, one gets it", async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "the.lock");
  writeFileSync(file, JSON.stringify({ pid: deadPid(), startedAt: "once", note: "" }));
  const script = `
    const { takeLock } = await import("#lib/installation/process-lock");
    process.stdout.write(takeLock(${JSON.stringify(file)}, "").outcome);
    process.stdin.resume();`;
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  // Each lives until all have said what they got: the lock of one that has ended is free again.
  const outcomes = await Promise.all(children.map(async (child) => String((await once(child.stdout, "data"))[0])));
  for (const child of children) child.stdin.end();
  expect(outcomes.filter((outcome) => outcome === "locked")).toHaveLength(1);
  expect(readFileSync(file, "utf8")).toContain('"pid"');
});

test("a process is told from another by when it began", () => {
  expect(processStart(process.pid)).toBe(processStart(process.pid));
  expect(processStart(process.pid)).not.toBe(processStart(process.ppid));
  expect(processStart(deadPid())).toBeNull();
  expect(processStart(Number.NaN)).toBeNull();
});

import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { takeLock } from "../../../packages/cli/src/cursor-file.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A place whose lock says this. */
function lockOf(text: string | null): { folder: string; file: string } {
  const folder = temporaryFolder();
  const file = path.join(folder, "place.lock");
  if (text !== null) writeFileSync(file, text);
  return { folder, file };
}

it("is held by a process that lives, also where an older version wrote its number alone", () => {
  expect(takeLock(lockOf(String(process.ppid)).file)).toEqual({ outcome: "held", pid: process.ppid });
  const { file } = lockOf(null);
  expect(takeLock(file).outcome).toBe("locked");
  const start = readFileSync(`/proc/${process.ppid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19];
  writeFileSync(file, `${process.ppid} ${start}`);
  expect(takeLock(file)).toEqual({ outcome: "held", pid: process.ppid });
});

it("of another container, whose process has our own number, is held while it is touched", () => {
  const { file } = lockOf(`${process.pid} 1 00000000-0000-0000-0000-000000000000/pid:[1]`);
  expect(takeLock(file)).toEqual({ outcome: "held", pid: process.pid });
  const aMinuteAgo = new Date(Date.now() - 60_000);
  utimesSync(file, aMinuteAgo, aMinuteAgo);
  const taken = takeLock(file);
  expect(taken.outcome).toBe("locked");
  if (taken.outcome === "locked") taken.release();
});

it.each([
  ["our own number, as in a container that was killed", String(process.pid)],
  ["our own number and another start", `${process.pid} 1`],
  ["a number that another process has now", `${process.ppid} 1`],
  ["a process that ended", "4194305 1"],
  ["half a lock", ""],
])("is free when it names %s", (_, text) => {
  const { folder, file } = lockOf(text);
  const taken = takeLock(file);
  expect(taken.outcome).toBe("locked");
  expect(readFileSync(file, "utf8")).toMatch(new RegExp(`^${process.pid} \\d+ [0-9a-f-]+/pid:\\[\\d+\\]$`));
  expect(readdirSync(folder)).toEqual(["place.lock"]);
  if (taken.outcome === "locked") taken.release();
  expect(readdirSync(folder)).toEqual([]);
});

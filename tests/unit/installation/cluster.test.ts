import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { inspectCluster, type Place } from "#lib/installation/embedded/cluster";
import { temporaryFolder } from "#tests/support/temporary-folder";

function makeCluster(files: string[], password: string | null): Place {
  const directory = path.join(temporaryFolder(), "postgres");
  if (files.length > 0) mkdirSync(directory);
  for (const file of files) writeFileSync(path.join(directory, file), "18\n");
  if (password !== null) writeFileSync(`${directory}.password`, password);
  return { directory, passwordFile: `${directory}.password`, movedFrom: null };
}

it("a database without its password file is a database, and what is nothing yet is nothing", () => {
  expect(inspectCluster(makeCluster(["PG_VERSION", "base"], "secret\n"))).toBe("whole");
  expect(inspectCluster(makeCluster(["PG_VERSION", "base"], null))).toBe("password_lost");
  expect(inspectCluster(makeCluster(["PG_VERSION", "base"], ""))).toBe("password_lost");
  expect(inspectCluster(makeCluster([], null))).toBe("none");
});

it("a folder that holds something else, or is gone while its password is there, is refused in words and left as it is", () => {
  const other = makeCluster(["base", "notes.txt"], null);
  expect(() => inspectCluster(other)).toThrow(/PG_VERSION is missing\. Nothing was changed/);
  expect(readdirSync(other.directory)).toEqual(["base", "notes.txt"]);
  expect(() => inspectCluster(makeCluster([], "secret\n"))).toThrow(/is missing or empty, although its password is in/);
});

it("a password that can't be read is not taken for one that is missing", () => {
  const cluster = makeCluster(["PG_VERSION"], null);
  mkdirSync(cluster.passwordFile);
  expect(() => inspectCluster(cluster)).toThrow(/can't be read/);
});

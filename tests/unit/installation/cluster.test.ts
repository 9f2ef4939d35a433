import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { inspectCluster, locateCluster, moveInCommand, type Place, recordOwner } from "#lib/installation/embedded/cluster";
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

function makeDatabase(directory: string, systemIdentifier: bigint): string {
  mkdirSync(path.join(directory, "global"), { recursive: true });
  writeFileSync(path.join(directory, "PG_VERSION"), "18\n");
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(systemIdentifier);
  writeFileSync(path.join(directory, "global/pg_control"), bytes);
  return directory;
}

/** A DATA_DIR whose database an earlier version put elsewhere. */
function makeMoved() {
  const root = temporaryFolder();
  const asked = path.join(root, "data/postgres");
  mkdirSync(path.dirname(asked));
  const place = makeDatabase(path.join(root, "shared/data-1"), 71n);
  writeFileSync(`${asked}.location`, place);
  return { root, asked, place };
}

it("a database lies in DATA_DIR; to look for it makes nothing", () => {
  const root = temporaryFolder();
  const asked = path.join(root, "data/postgres");
  expect(locateCluster(asked)).toEqual({ directory: asked, passwordFile: `${asked}.password`, movedFrom: null });
  expect(readdirSync(root)).toEqual([]);
});

it("a database that was moved earlier is followed, and stays followed when DATA_DIR is renamed", () => {
  const { root, asked, place } = makeMoved();
  expect(locateCluster(asked)).toMatchObject({ directory: place, movedFrom: asked });
  recordOwner(locateCluster(asked));
  renameSync(path.dirname(asked), path.join(root, "renamed"));
  const renamed = path.join(root, "renamed/postgres");
  expect(locateCluster(renamed)).toMatchObject({ directory: place, movedFrom: renamed });
});

it("a copy of DATA_DIR is not the original's database", () => {
  const { root, asked, place } = makeMoved();
  recordOwner(locateCluster(asked));
  const copy = path.join(root, "copy/postgres");
  mkdirSync(path.dirname(copy));
  writeFileSync(`${copy}.location`, place);
  expect(() => locateCluster(copy)).toThrow(/copy is a copy of .*data, whose database lies in .*Nothing was changed/);
  expect(locateCluster(asked).directory).toBe(place);
});

it("another database in the noted place is not taken for ours", () => {
  const { asked, place } = makeMoved();
  recordOwner(locateCluster(asked));
  makeDatabase(place, 72n);
  expect(() => locateCluster(asked)).toThrow(/another one is there now \(system identifier 72, it was 71\)/);
});

it("two databases, or a note of one that is gone, are questions for a person", () => {
  const { asked, place } = makeMoved();
  makeDatabase(asked, 70n);
  expect(() => locateCluster(asked)).toThrow(/There are two databases: .*Nothing was changed/);
  makeDatabase(asked, 71n);
  expect(() => locateCluster(asked)).toThrow(/two databases, one a copy of the other/);
  rmSync(place, { recursive: true });
  expect(locateCluster(asked).directory).toBe(asked); // moved in, the note left behind
  rmSync(asked, { recursive: true });
  expect(() => locateCluster(asked)).toThrow(/there is none\. Nothing was changed/);
});

it("the command that moves it in names the place, the note and the owner's record", () => {
  const { asked, place } = makeMoved();
  expect(moveInCommand(locateCluster(asked))).toBe(
    `mv '${place}' '${asked}' && rm -f '${asked}.location' '${place}.owner' && chown -R 0:0 '${asked}'`,
  );
});

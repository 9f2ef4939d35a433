import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Where a cluster lies, and the file with its role's password. */
export type Place = {
  /** The data directory. */
  directory: string;
  passwordFile: string;
  /** The folder in DATA_DIR that it was asked for in, where an earlier version put it elsewhere; null otherwise. */
  movedFrom: string | null;
};

/**
 * Returns where the cluster of a wanted folder lies: in that folder. Earlier versions put root's data elsewhere when the
 * account of the server could not enter the folder, with a note of the place; such a note is followed as long as it is
 * certain whose database that is. Changes nothing.
 *
 * @throws Error in words when it is not: a copy of DATA_DIR has the note too, and would write to the original's database
 */
export function locateCluster(wanted: string): Place {
  const asked = path.resolve(wanted);
  const inside: Place = { directory: asked, passwordFile: `${asked}.password`, movedFrom: null };
  const noted = readNote(asked);
  if (noted === null) return inside;
  const isHere = isCluster(asked);
  const isThere = isCluster(noted);
  if (isHere && isThere) throw new Error(twoDatabases(asked, noted));
  if (isHere) return inside; // it was moved in, and the note was left
  if (!isThere)
    throw new Error(
      `${noteOf(asked)} says that the database lies in ${noted}, and there is none. Nothing was changed. Bring it back from its copy (is its volume mounted?), or remove the note to begin with an empty database.`,
    );
  assertOurs(asked, noted);
  return { ...inside, directory: noted, movedFrom: asked };
}

/** Records with a moved cluster which DATA_DIR it belongs to: by that, a copy of DATA_DIR is told from the original. */
export function recordOwner({ directory, movedFrom }: Place): void {
  if (movedFrom === null) return;
  const record: Owner = { home: movedFrom, systemIdentifier: systemIdentifier(directory) };
  if (JSON.stringify(readOwner(directory)) !== JSON.stringify(record))
    writeFileSync(ownerFile(directory), JSON.stringify(record), { mode: 0o600 });
}

/** Returns the command that moves a moved cluster into DATA_DIR, while Signalbox is stopped. */
export function moveInCommand(place: Place): string | null {
  const { directory, movedFrom } = place;
  if (movedFrom === null) return null;
  return `mv '${directory}' '${movedFrom}' && rm -f '${noteOf(movedFrom)}' '${ownerFile(directory)}' && chown -R 0:0 '${movedFrom}'`;
}

type Owner = { home: string; systemIdentifier: string };

const noteOf = (asked: string) => `${asked}.location`;
const ownerFile = (directory: string) => `${directory}.owner`;

const readNote = (asked: string): string | null => reading(noteOf(asked), () => readFileSync(noteOf(asked), "utf8").trim() || null);

const readOwner = (directory: string): Owner | null =>
  reading(ownerFile(directory), () => JSON.parse(readFileSync(ownerFile(directory), "utf8")) as Owner);

const isCluster = (directory: string): boolean => (reading(directory, () => readdirSync(directory)) ?? []).includes("PG_VERSION");

/** The number that initdb gave a cluster, and that only its copies share: the first eight bytes of pg_control. */
function systemIdentifier(directory: string): string {
  const control = path.join(directory, "global/pg_control");
  return (
    reading(control, () => {
      const bytes = Buffer.alloc(8);
      const file = openSync(control, "r");
      try {
        readSync(file, bytes, 0, 8, 0);
      } finally {
        closeSync(file);
      }
      return bytes.readBigUInt64LE().toString();
    }) ?? "none"
  );
}

function assertOurs(asked: string, noted: string): void {
  const owner = readOwner(noted);
  if (owner === null) return; // first start since records are made
  if (owner.systemIdentifier !== systemIdentifier(noted))
    throw new Error(
      `${noteOf(asked)} says that the database lies in ${noted}, and another one is there now (system identifier ${systemIdentifier(noted)}, it was ${owner.systemIdentifier}). Nothing was changed. Bring the former back from its copy; if the present one is right, remove ${ownerFile(noted)}.`,
    );
  // Where the other folder is gone, DATA_DIR was renamed.
  if (owner.home !== asked && readNote(owner.home) === noted)
    throw new Error(
      `${path.dirname(asked)} is a copy of ${path.dirname(owner.home)}, whose database lies in ${noted}. Nothing was changed. To run the copy on data of its own, copy the database while the original is stopped: cp -a '${noted}' '${asked}' && rm '${noteOf(asked)}'. If the original is never used again, remove ${noteOf(owner.home)}.`,
    );
}

function twoDatabases(asked: string, noted: string): string {
  const same = systemIdentifier(asked) === systemIdentifier(noted);
  return `There are two databases${same ? ", one a copy of the other" : ""}: ${asked}, and ${noted}, which ${noteOf(asked)} names. Nothing was changed. To use the first, remove the note; to use the second, move the first away. If its password is wrong then, remove ${asked}.password: it is made anew.`;
}

/** True when there is no such file or folder; false also when the system can't say (no files left to open, a disk that fails). */
export function isMissing(file: string): boolean {
  try {
    statSync(file);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/** @returns null where there is no such file or folder @throws Error in words when the system can't say or doesn't let us */
export function reading<T>(file: string, read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    if (code !== "EACCES" && code !== "EPERM") throw new Error(`${file} can't be read: ${message}`, { cause: error });
    throw new Error(
      `${file} can't be read by this account (${code}). Nothing was changed. Start Signalbox as the account that owns it, or give this one the right to read it.`,
      { cause: error },
    );
  }
}

import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

export type Place = {
  directory: string;
  passwordFile: string;
  /** Requested folder in DATA_DIR, where an earlier version put the cluster elsewhere. */
  movedFrom: string | null;
};

/** Locates a cluster. An earlier version's note of another place is followed only if it is no copy's, which would write to the original. */
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

/** Records the DATA_DIR of a moved cluster, which tells a copy of DATA_DIR from the original. */
export function recordOwner({ directory, movedFrom }: Place): void {
  if (movedFrom === null) return;
  const record: Owner = { home: movedFrom, systemIdentifier: systemIdentifier(directory) };
  if (JSON.stringify(readOwner(directory)) !== JSON.stringify(record))
    writeFileSync(ownerFile(directory), JSON.stringify(record), { mode: 0o600 });
}

/** Returns the command that moves a cluster into DATA_DIR while Signalbox is stopped. */
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

/** Reads the number from initdb that only copies share: the first eight bytes of pg_control. */
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
  // If the other folder is gone, DATA_DIR was renamed.
  if (owner.home !== asked && readNote(owner.home) === noted)
    throw new Error(
      `${path.dirname(asked)} is a copy of ${path.dirname(owner.home)}, whose database lies in ${noted}. Nothing was changed. To run the copy on data of its own, copy the database while the original is stopped: cp -a '${noted}' '${asked}' && rm '${noteOf(asked)}'. If the original is never used again, remove ${noteOf(owner.home)}.`,
    );
}

function twoDatabases(asked: string, noted: string): string {
  const same = systemIdentifier(asked) === systemIdentifier(noted);
  return `There are two databases${same ? ", one a copy of the other" : ""}: ${asked}, and ${noted}, which ${noteOf(asked)} names. Nothing was changed. To use the first, remove the note; to use the second, move the first away. If its password is wrong then, remove ${asked}.password: it is made anew.`;
}

/** True only if it is surely missing: false when the system can't say (no file handles, a failing disk). */
export function isMissing(file: string): boolean {
  try {
    statSync(file);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/** Returns null for a missing file. @throws Error in words if it can't be read */
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

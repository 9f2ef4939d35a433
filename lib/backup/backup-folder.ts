import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import path from "node:path";

/** Names the folder: workers that share it read the same, and those with others, under whatever path, another. */
const MARK = ".signalbox-backups";

/** The identity of a backup folder, which is made if it is not there. @throws Error when it can't be read or written */
export async function placeOf(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, MARK);
  try {
    writeFileSync(file, randomUUID(), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const mark = readFileSync(file, "utf8");
  if (mark === "") throw new Error(`${file} is empty`); // another worker is just writing it
  return mark;
}

/** True if the folder holds a backup, or its draft. */
export async function holds(folder: string, name: string): Promise<boolean> {
  if (!isFileName(name)) return false;
  const found = await Promise.all([name, draftOf(name)].map((each) => stat(path.join(folder, each)).then(Boolean, () => false)));
  return found.includes(true);
}

/**
 * Deletes a backup and its draft. The draft first: a worker that is only slow can't rename it then.
 *
 * @returns false when the folder can't be reached or changed: the next round tries again
 */
export async function removeBackup(folder: string, name: string): Promise<boolean> {
  if (!isFileName(name)) return false;
  try {
    await rm(path.join(folder, draftOf(name)), { force: true });
    await rm(path.join(folder, name), { force: true });
    return true;
  } catch {
    return false;
  }
}

/** A name comes from the database, which may have been restored from somebody else's backup: it must not lead out of the folder. */
const isFileName = (name: string): boolean => name !== "." && name !== ".." && path.basename(name) === name;

const draftOf = (name: string) => `${name}.partial`;

import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import path from "node:path";

/** Identifies the folder: workers that share it read the same mark, whatever path they use. */
const MARK = ".signalbox-backups";

/** Returns the identity of a backup folder, which is made if missing. @throws Error if it can't be read or written */
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

export async function holds(folder: string, name: string): Promise<boolean> {
  if (!isFileName(name)) return false;
  const found = await Promise.all([name, draftOf(name)].map((each) => stat(path.join(folder, each)).then(Boolean, () => false)));
  return found.includes(true);
}

/** Deletes the draft first, so that a slow worker can't rename it any more. @returns false to try again next round */
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

/** Rejects names that lead out of the folder: they may come from somebody else's restored backup. */
const isFileName = (name: string): boolean => name !== "." && name !== ".." && path.basename(name) === name;

const draftOf = (name: string) => `${name}.partial`;

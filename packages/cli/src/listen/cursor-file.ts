import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { usageError } from "../output/exit.ts";
import type { Output } from "../output/output.ts";
import { durationWords } from "../output/time.ts";
import { configFolder } from "../settings.ts";
import { type LockOutcome, takeLock } from "./place-lock.ts";

/** Key of a cursor. */
export type Place = { server: string; workspace: string; url: string; name: string };

type Kept = Place & { cursor: string; savedAt: string };

export type CursorFile = {
  /** Returns the cursor at which the last run stopped. */
  read: () => { cursor: string; savedAt: string } | null;
  /** Saves a cursor at once; several within 5 ms are one write. */
  save: (cursor: string) => void;
  close: () => void;
};

const GATHER_MS = 5;
const AGAIN_MS = 5000;

/** Opens the cursor of a place; only one process may. @throws CliError if another one listens for the same place */
export function openCursorFile(place: Place, output: Output): CursorFile {
  const folder = path.join(configFolder(), "listen");
  const key = createHash("sha256")
    .update(JSON.stringify(Object.values(place)))
    .digest("hex")
    .slice(0, 20);
  const file = path.join(folder, `${key}.json`);
  const release = lockPlace(folder, path.join(folder, `${key}.lock`), place);
  let next: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  let failing = false;
  let writtenAt = 0;
  const write = () => {
    timer = null;
    if (next === null) return;
    writtenAt = performance.now();
    try {
      writeFileSync(`${file}.new`, JSON.stringify({ ...place, cursor: next, savedAt: new Date().toISOString() } satisfies Kept));
      renameSync(`${file}.new`, file);
      if (failing) output.note("The cursor is saved to disk again.");
      [next, failing] = [null, false];
    } catch (error) {
      if (!failing)
        output.warn(
          `The cursor can't be written: ${diskWords(error)}. Events are still forwarded; after a restart, some will be sent again.`,
        );
      failing = true;
      timer = setTimeout(write, AGAIN_MS).unref();
    }
  };
  return {
    read: () => readKept(file, output),
    save: (cursor) => {
      next = cursor;
      // Not by timer alone: a busy process runs timers late, and everything done meanwhile would be sent again.
      if (!failing && performance.now() - writtenAt >= GATHER_MS) write();
      else timer ??= setTimeout(write, GATHER_MS);
    },
    close: () => {
      if (timer) clearTimeout(timer);
      write();
      if (timer) clearTimeout(timer);
      release?.();
    },
  };
}

function readKept(file: string, output: Output): { cursor: string; savedAt: string } | null {
  try {
    const { cursor, savedAt } = JSON.parse(readFileSync(file, "utf8")) as Kept;
    return { cursor, savedAt };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      output.warn(`The kept cursor can't be read (${(error as Error).message}): starting from now. Use --since to go further back.`);
    return null;
  }
}

/** Returns a function that releases the place; null if the disk supports no locks, which keeps nobody from listening. */
function lockPlace(folder: string, lock: string, { url, name }: Place): (() => void) | null {
  let taken: LockOutcome;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    taken = takeLock(lock);
  } catch {
    return null;
  }
  if (taken.outcome === "locked") return taken.release;
  throw usageError(
    `Another signalbox listen ${name && `named ${name} `}(process ${taken.pid}) is already forwarding events to ${url}.`,
    name ? "Give this one another name: --name" : "Give this one a name of its own: --name second",
  );
}

function diskWords(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC") return "no space left on the disk";
  return code === "EACCES" || code === "EROFS" ? "the folder can't be written to" : message;
}

export const sinceWords = (savedAt: string): string => durationWords(Math.max(0, Date.now() - Date.parse(savedAt)));

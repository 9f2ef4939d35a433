import { createHash, randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { usageError } from "./exit.ts";
import { configFolder } from "./settings.ts";
import type { Output } from "./terminal.ts";
import { durationWords } from "./time.ts";

/** Key of a cursor. */
type Place = { server: string; workspace: string; url: string; name: string };

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

// A lock for the life of this process. PIDs are reused, above all in containers, where each process is number 1: the lock contains
// `<pid> <start time> <boot and PID namespace>`. A process of another container can't be looked up: its lock holds while it is touched.
const TOUCH_MS = 5000;
/** A lock of another container that was not touched for this long is free. */
const UNTOUCHED_MS = 30_000;

type LockOutcome = { outcome: "locked"; release: () => void } | { outcome: "held"; pid: number };

/** @throws Error if the disk supports no locks */
export function takeLock(file: string): LockOutcome {
  const mine = `${process.pid} ${processStart(process.pid) ?? ""} ${numbersCountIn()}`.trimEnd();
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, mine);
  try {
    for (let tries = 0; tries < 3; tries++) {
      if (tryLink(draft, file)) return { outcome: "locked", release: keep(file, mine) };
      const found = readLock(file);
      const pid = livingHolder(found, file);
      if (pid !== null) return { outcome: "held", pid };
      moveAway(file, found);
    }
    throw new Error("others were quicker each time");
  } finally {
    rmSync(draft, { force: true });
  }
}

function keep(file: string, mine: string): () => void {
  const isMine = () => readLock(file) === mine;
  const timer = setInterval(() => {
    try {
      if (isMine()) utimesSync(file, new Date(), new Date());
    } catch {} // the disk is gone, or full: the next round tries again
  }, TOUCH_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    if (isMine()) rmSync(file, { force: true });
  };
}

/** Boot and PID namespace of this process; empty if the system has none. */
function numbersCountIn(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return "";
  }
}

/** A link appears with its content or not at all: nobody reads half a lock. */
function tryLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function readLock(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Our own PID is that of a dead predecessor: we take each lock once. Older versions wrote no start time. */
function livingHolder(lock: string, file: string): number | null {
  const [first, start, place] = lock.split(" ");
  const pid = Number(first);
  if (place && place !== numbersCountIn()) return wasTouched(file) ? pid : null;
  if (pid === process.pid) return null;
  const now = processStart(pid);
  return now === null || (start && now && start !== now) ? null : pid;
}

function wasTouched(file: string): boolean {
  try {
    return Math.abs(Date.now() - statSync(file).mtimeMs) < UNTOUCHED_MS; // in the future: touched before the clock was set back
  } catch {
    return false;
  }
}

/** Removes a dead lock; if another process replaced it meanwhile, restores that one. */
function moveAway(file: string, dead: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch {
    return; // somebody else was first
  }
  if (readLock(aside) !== dead) tryLink(aside, file);
  rmSync(aside, { force: true });
}

/** Returns null if no such process runs (a zombie does not); empty if the system doesn't tell, as without /proc. */
function processStart(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return null;
  }
  try {
    // Fields 3 (state) and 22 (start time) of proc(5): the command before them may contain spaces and brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? null : (fields[19] ?? "");
  } catch {
    return "";
  }
}

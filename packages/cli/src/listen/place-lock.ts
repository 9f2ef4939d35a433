import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";

// A lock for the life of this process. PIDs are reused, above all in containers, where each process is number 1: the lock contains
// `<pid> <start time> <boot and PID namespace>`. A process of another container can't be looked up: its lock holds while it is touched.

const TOUCH_MS = 5000;
/** A lock of another container that was not touched for this long is free. */
const UNTOUCHED_MS = 30_000;

export type LockOutcome = { outcome: "locked"; release: () => void } | { outcome: "held"; pid: number };

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

import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";

// A lock for as long as this process lives. A PID alone does not say who holds it: it is used again, above all in
// containers, where everyone is number 1. So the lock holds `<pid> <start time> <where its numbers count>`. A process of
// another container can't be looked for: there the lock is held for as long as its holder touches the file.

const TOUCH_MS = 5000;
/** A lock of another container that was not touched for so long is free. */
const UNTOUCHED_MS = 30_000;

export type LockOutcome = { outcome: "locked"; release: () => void } | { outcome: "held"; pid: number };

/** @throws Error where the disk takes no lock */
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

/** Touches the lock while it is ours. @returns what gives it back */
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

/** The boot and the PID namespace of this process; empty where the system has no such thing. */
function numbersCountIn(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return "";
  }
}

/** A link is made with its content or not at all: nobody reads half a lock. */
function tryLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Empty when it is gone. */
function readLock(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Our own number is that of one before us: we take each lock once. Older versions wrote no start time. */
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

/** Removes a dead lock; if another process put its own there in between, gives that back. */
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

/** @returns null when no such process runs (a zombie does not run); empty where the system won't tell, as without /proc */
function processStart(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return null;
  }
  try {
    // Fields 3 (state) and 22 (start time) of proc(5): the command before them may have spaces and brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? null : (fields[19] ?? "");
  } catch {
    return "";
  }
}

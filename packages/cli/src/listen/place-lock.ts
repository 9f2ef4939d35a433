import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

// A lock for as long as this process lives. A PID alone does not say who holds it: it is used again, above all in
// containers, where everyone is number 1. So the lock holds `<pid> <start time>`.

export type LockOutcome = { outcome: "locked"; release: () => void } | { outcome: "held"; pid: number };

/** @throws Error where the disk takes no lock */
export function takeLock(file: string): LockOutcome {
  const mine = `${process.pid} ${processStart(process.pid) ?? ""}`;
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, mine);
  try {
    for (let tries = 0; tries < 3; tries++) {
      if (tryLink(draft, file)) return { outcome: "locked", release: () => readLock(file) === mine && rmSync(file, { force: true }) };
      const found = readLock(file);
      const pid = livingHolder(found);
      if (pid !== null) return { outcome: "held", pid };
      moveAway(file, found);
    }
    throw new Error("others were quicker each time");
  } finally {
    rmSync(draft, { force: true });
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
function livingHolder(lock: string): number | null {
  const [first, start] = lock.split(" ");
  const pid = Number(first);
  if (pid === process.pid) return null;
  const now = processStart(pid);
  return now === null || (start && now && start !== now) ? null : pid;
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

import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { codeOf } from "#lib/observability/logger";

/** `note`: for others, such as a URL. */
type LockHolder = { pid: number; startedAt: string | null; note: string };

type LockOutcome = { outcome: "locked"; release: () => void } | { outcome: "held"; holder: LockHolder };

/** Takes a lock for this process's life. A holder that died, even by kill -9, holds nothing: pid and start time tell. */
export function takeLock(file: string, note: string): LockOutcome {
  mkdirSync(path.dirname(file), { recursive: true });
  const mine: LockHolder = { pid: process.pid, startedAt: processStart(process.pid), note };
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, JSON.stringify(mine));
  try {
    // Again after a dead holder's lock was moved away.
    for (let attempt = 0; attempt < 2; attempt++) {
      if (tryLink(draft, file)) return { outcome: "locked", release: () => releaseLock(file, mine) };
      const holder = readLock(file);
      if (holder && isHeld(holder)) return { outcome: "held", holder };
      moveAway(file, holder);
    }
    return { outcome: "held", holder: readLock(file) ?? mine };
  } finally {
    rmSync(draft, { force: true });
  }
}

export function findLockHolder(file: string): LockHolder | null {
  const holder = readLock(file);
  return holder && isHeld(holder) ? holder : null;
}

/** Links a complete file: no reader sees half a lock. */
function tryLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function readLock(file: string): LockHolder | null {
  try {
    const { pid, startedAt, note } = JSON.parse(readFileSync(file, "utf8")) as LockHolder;
    return { pid, startedAt, note };
  } catch {
    return null;
  }
}

function isHeld(holder: LockHolder): boolean {
  const startedAt = processStart(holder.pid);
  return startedAt !== null && startedAt === holder.startedAt;
}

/** Removes a dead lock; one that another process put there meanwhile is given back. */
function moveAway(file: string, dead: LockHolder | null): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch {
    return; // somebody else was first
  }
  const moved = readLock(aside);
  if (moved && JSON.stringify(moved) !== JSON.stringify(dead)) tryLink(aside, file);
  rmSync(aside, { force: true });
}

function releaseLock(file: string, mine: LockHolder): void {
  const holder = readLock(file);
  if (holder?.pid === mine.pid && holder.startedAt === mine.startedAt) rmSync(file, { force: true });
}

/** Of /proc/<pid>/stat, after the command's closing bracket (proc(5)). */
const STATE_FIELD = 0;
const START_TIME_FIELD = 19;

/** Returns when a process began, as pids are reused; null if none runs (or a zombie), "unknown" where the system won't tell. */
export function processStart(pid: number): string | null {
  if (!isAlive(pid)) return null;
  if (process.platform === "linux") return linuxStart(pid);
  if (process.platform === "win32") return "unknown";
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

function linuxStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[STATE_FIELD] === "Z") return null;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${fields[START_TIME_FIELD]}`;
  } catch {
    return null;
  }
}

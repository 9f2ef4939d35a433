import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { codeOf } from "#lib/observability/error-code";

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

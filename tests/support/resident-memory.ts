import { readFileSync } from "node:fs";

/** Returns what a process holds in memory at this moment, in megabytes. Linux. @throws Error when it has ended */
export const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks a second of /proc (USER_HZ), which is 100 on every Linux of today. */
const TICKS = 100;

type Stat = { parent: number; own: number; waitedFor: number };

/** Processor seconds of a process and of all below it, those that have ended included. Linux. */
export function processorSeconds(root: number): number {
  const stats = new Map(readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [[Number(name), statOf(name)] as const] : [])));
  const below = (pid: number): number =>
    [...stats].filter(([, stat]) => stat?.parent === pid).reduce((sum, [child]) => sum + below(child), ticksOf(stats.get(pid)));
  return below(root) / TICKS;
}

const ticksOf = (stat: Stat | null | undefined) => (stat ? stat.own + stat.waitedFor : 0);

/** See proc_pid_stat(5); the name in brackets may hold blanks. */
function statOf(pid: string): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [parent = 0, own = 0, system = 0, waited = 0, waitedSystem = 0] = [fields[1], fields[11], fields[12], fields[13], fields[14]];
    return { parent, own: own + system, waitedFor: waited + waitedSystem };
  } catch {
    return null; // it ended just now: whoever waited for it counts it
  }
}

import { readFileSync } from "node:fs";
import { npmScript } from "#lib/config/npm-script";

const LOOK_MS = 250;
/** Our own scripts of package.json. None of them detaches what it starts; a script of somebody else's may. */
const OURS = /^node lib\/processes\/(start|worker)\.ts/;

/** What the watch asks of the system; a test has its own. */
type Surroundings = { script: string | null; parent: () => number; processFile: (pid: number, name: string) => string };

const system: Surroundings = {
  script: npmScript(),
  parent: () => process.ppid,
  processFile: (pid, name) => readFileSync(`/proc/${pid}/${name}`, "utf8"),
};

/**
 * Calls back once when npm, or the shell that npm runs its script in, is gone. On a signal the shell dies without
 * passing it on, and nobody else would end what it started. Whoever was started in any other way (nohup, setsid,
 * systemd, a container) is not watched: there the parent may go (docs/decisions/0083).
 */
export function watchStarter(gone: () => void, surroundings: Surroundings = system): void {
  if (surroundings.script === null || !OURS.test(surroundings.script)) return;
  const begun = starterOf(surroundings);
  const timer = setInterval(() => {
    if (starterOf(surroundings) === begun) return;
    clearInterval(timer);
    gone();
  }, LOOK_MS);
  timer.unref();
}

/** Our parent and, where that is npm's shell, the shell's own parent: npm. */
function starterOf({ script, parent, processFile }: Surroundings): string {
  const pid = parent();
  try {
    const [, option, command] = processFile(pid, "cmdline").split("\0");
    if (option !== "-c" || !command?.startsWith(script ?? "")) return `${pid}`;
    const stat = processFile(pid, "stat");
    const [, npm] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return `${npm} ${pid}`;
  } catch {
    return `${pid}`; // no /proc: the parent alone
  }
}

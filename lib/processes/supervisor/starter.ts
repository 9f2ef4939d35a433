import { readFileSync } from "node:fs";
import { npmScript } from "#lib/config/npm-script";

const LOOK_MS = 250;
/** Number of equal looks in a row that say that the starter has changed: one alone may be wrong. */
const LOOKS = 3;
/** Our own scripts of package.json, and the packed command that npx runs. None of them detaches what it starts; a script of somebody else's may. */
const OURS = /^(node lib\/processes\/(start|worker)\.ts|'?signalbox'?(\s|$))/;

/** System functions that the watch uses; a test has its own. */
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
  const isUnchanged = ({ pid, key }: Starter) => pid === begun.pid && (key === begun.key || begun.key === `${pid}`);
  let [last, looks] = [begun, 0];
  const timer = setInterval(() => {
    const seen = starterOf(surroundings, begun);
    looks = isUnchanged(seen) ? 0 : seen.key === last.key ? looks + 1 : 1;
    last = seen;
    if (looks < LOOKS) return;
    clearInterval(timer);
    gone();
  }, LOOK_MS);
  timer.unref();
}

type Starter = { pid: number; key: string };

/**
 * Our parent and, where that is npm's shell, the shell's own parent: npm.
 *
 * @param before what is true of the same parent while the system can't be asked (no files left to open, say)
 */
function starterOf({ script, parent, processFile }: Surroundings, before?: Starter): Starter {
  const pid = parent();
  try {
    const [, option, command] = processFile(pid, "cmdline").split("\0");
    if (option !== "-c" || !command?.startsWith(script ?? "")) return { pid, key: `${pid}` };
    const stat = processFile(pid, "stat");
    const [, npm] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { pid, key: `${npm} ${pid}` };
  } catch {
    return before?.pid === pid ? before : { pid, key: `${pid}` }; // no /proc: the parent alone
  }
}

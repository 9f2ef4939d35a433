import { readFileSync } from "node:fs";
import { npmScript } from "#lib/config/npm-script";

const LOOK_MS = 250;
/** Equal looks in a row that show that the starter has changed: one alone may be wrong. */
const LOOKS = 3;
/** Our own scripts, and the packed command: none detaches what it starts. A script of somebody else's may. */
const OURS = /^(node lib\/processes\/(start|worker)\.ts|'?signalbox'?(\s|$))/;

/** Replaced in tests. */
type Surroundings = { script: string | null; parent: () => number; processFile: (pid: number, name: string) => string };

const system: Surroundings = {
  script: npmScript(),
  parent: () => process.ppid,
  processFile: (pid, name) => readFileSync(`/proc/${pid}/${name}`, "utf8"),
};

/** Calls back when npm or its shell is gone: a signal ends the shell and isn't passed on. Other starters may go (docs/decisions/0032). */
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

/** Returns our parent and, if that is npm's shell, npm. @param before kept while the system can't be asked (no file handles) */
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

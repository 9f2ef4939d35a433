import { readFileSync } from "node:fs";
import { EnvError } from "#lib/config/env";
import { npmScript } from "#lib/config/product";
import { STOP_LIMITS } from "#lib/installation/stop-limits";
import { logger } from "#lib/observability/logger";
import { complain, speakInLogLines } from "./progress.ts";

export const BEAT_MS = 5000;

export type Lifetime = {
  /** Aborts when asked to stop: nothing new begins then. */
  stopping: AbortSignal;
  /** Sets what ends the current work; call it before the work begins. */
  endWith: (drain: () => Promise<void>) => void;
};

/**
 * Runs an entry point and drains it on SIGTERM, an unsupervised SIGINT or the supervisor's death (its channel closes even on kill -9),
 * within `STOP_LIMITS.process`. An uncaught error ends it: its state is unknown, and the supervisor starts another.
 */
export async function runProcess(main: (lifetime: Lifetime) => Promise<void>): Promise<void> {
  speakInLogLines();
  process.on("uncaughtException", (error) => {
    logger().fatal({ err: error }, "uncaught error; restarting");
    process.exit(1);
  });
  process.on("unhandledRejection", (error) => logger().error({ err: error }, "unhandled promise rejection"));
  const stop = new AbortController();
  let drain = async () => {};
  onceAskedToEnd((reason) => {
    stop.abort();
    setTimeout(() => process.exit(1), STOP_LIMITS.process).unref();
    void end(reason, drain);
  });
  try {
    await main({
      stopping: stop.signal,
      endWith: (work) => {
        drain = work;
      },
    });
  } catch (error) {
    if (stop.signal.aborted) return; // its own start was in the way of the end, which goes on
    // The logger itself needs a valid environment.
    if (error instanceof EnvError) complain(error.message);
    else logger().fatal({ err: error }, "this process can't start");
    process.exit(1);
  }
}

function onceAskedToEnd(end: (reason: string) => void): void {
  let ending = false;
  const once = (reason: string) => {
    if (ending) return;
    ending = true;
    end(reason);
  };
  process.on("SIGTERM", () => once("asked to stop"));
  // Ctrl-C reaches the whole process group; under a supervisor its SIGTERM follows.
  process.on("SIGINT", () => process.channel || once("asked to stop"));
  if (!process.send) watchStarter(() => once("npm has exited"));
  const orphaned = () => once("the supervisor has exited");
  process.on("disconnect", orphaned);
  // It may have died before this line, with no event to come.
  if (process.send && !process.connected) orphaned();
}

async function end(reason: string, drain: () => Promise<void>): Promise<void> {
  try {
    logger().info({ reason }, "stopping");
    await drain();
    process.exit(0);
  } catch (error) {
    logger().error({ err: error }, "could not stop cleanly");
    process.exit(1);
  }
}

export function reportReady(): void {
  report({ ready: true });
}

/** Sends a heartbeat every 5 s; its timer shows that the event loop turns. @param hanging names what hangs: then none is sent */
export function reportBeats(hanging: () => string[] = () => []): void {
  const beat = () => {
    const names = hanging();
    if (names.length === 0) report({ beat: true });
    else logger().error({ loops: names }, "background loops are stuck; without progress the supervisor restarts this process");
  };
  if (process.send) setInterval(beat, BEAT_MS).unref();
}

/** Does nothing once the channel is closed, as the end is near. */
const report = (message: object) => void (process.connected && process.send?.(message, undefined, {}, () => undefined));

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

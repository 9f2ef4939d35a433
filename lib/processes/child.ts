import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "#lib/installation/process-environment";
import { STOP_LIMITS } from "#lib/installation/stop-limits";
import { growingWait } from "#lib/time/waits";
import { BEAT_MS } from "./lifetime.ts";
import { warn } from "./progress.ts";

const MAX_PAUSE_MS = 15_000;
const FIRST_PAUSE_MS = 500;
/** A child that ran this long was well: its next death is a first one again. */
const WELL_AFTER_MS = 30_000;
/** After this many deaths before it was ever ready, another start doesn't help. */
const TRIES_BEFORE_READY = 3;
/** A child that misses this many beats (60 s) is stuck. */
const MISSED_BEATS = 12;

const OUT_OF_MEMORY = " If nobody killed it, the system ran out of memory: see its log (dmesg, or the container's events).";

/** Restarts its process whenever that exits or stops sending heartbeats. */
export class Child {
  private readonly name: string;
  private readonly file: string;
  private readonly options: readonly string[];
  private readonly beatMs: number;
  private process: ChildProcess | undefined;
  private stopping = false;
  private deaths = 0;
  private everReady = false;

  /** @param file the entry point, which calls `reportReady` and `reportBeats`; `options` are its arguments */
  constructor(name: string, file: string, beatMs = BEAT_MS, options: readonly string[] = []) {
    this.name = name;
    this.file = file;
    this.options = options;
    this.beatMs = beatMs;
  }

  /** @throws Error if it dies three times before it is ready */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => this.run(resolve, () => this.again(begin, reject));
      begin();
    });
  }

  private run(ready: () => void, died: () => void): void {
    if (this.stopping) return; // asked to stop before it was ever started
    const since = performance.now();
    // In our process group and with our environment, complete by now.
    const child = fork(this.file, this.options, { cwd: ROOT, stdio: "inherit", execArgv: ["--disable-warning=ExperimentalWarning"] });
    this.process = child;
    child.on("message", (message) => {
      if (!(message as { ready?: boolean }).ready) return;
      this.everReady = true;
      this.watchBeats(child);
      ready();
    });
    child.on("exit", (code, signal) => {
      this.process = undefined;
      if (this.stopping) return;
      if (performance.now() - since > WELL_AFTER_MS) this.deaths = 0;
      this.deaths++;
      warn(`The ${this.name} process ended (${signal ?? code}).${signal === "SIGKILL" ? OUT_OF_MEMORY : ""}`);
      died();
    });
  }

  /** Ends a child without heartbeats; `exit` starts the next. Counted, not timed: after the machine was suspended one is missing. */
  private watchBeats(child: ChildProcess): void {
    let missed = 0;
    child.on("message", () => {
      missed = 0;
    });
    const timer = setInterval(() => {
      missed += 1;
      if (missed < MISSED_BEATS || this.stopping) return;
      clearInterval(timer);
      warn(`The ${this.name} process has sent no heartbeat for ${Math.round((missed * this.beatMs) / 1000)} s; restarting it.`);
      void end(child);
    }, this.beatMs);
    timer.unref();
    child.once("exit", () => clearInterval(timer));
  }

  private async again(begin: () => void, reject: (error: Error) => void): Promise<void> {
    if (!this.everReady && this.deaths >= TRIES_BEFORE_READY) {
      reject(new Error(`The ${this.name} process can't be started. Its output is above.`));
      return;
    }
    await sleep(growingWait(this.deaths, { firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS }));
    if (!this.stopping) begin();
  }

  /** Ends it by SIGTERM, after 9.6 s by SIGKILL. */
  async stop(): Promise<void> {
    this.stopping = true;
    if (this.process) await end(this.process);
  }

  kill(): void {
    this.stopping = true;
    this.process?.kill("SIGKILL");
  }
}

async function end(child: ChildProcess): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMITS.kill);
  await gone;
  clearTimeout(timer);
}

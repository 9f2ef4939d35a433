import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "#lib/config/process-environment";
import { say } from "./progress.ts";

const KILL_AFTER_MS = 8000;
const LONGEST_PAUSE_MS = 15_000;
const FIRST_PAUSE_MS = 500;
/** A child that ran this long was well: its next death is a first one again. */
const WELL_AFTER_MS = 30_000;
/** Deaths before it was ever ready, after which starting again helps nobody. */
const TRIES_BEFORE_READY = 3;

/** A child process that is started again whenever it dies, until it is stopped. */
export class Child {
  private readonly name: string;
  private readonly file: string;
  private process: ChildProcess | undefined;
  private stopping = false;
  private deaths = 0;
  private everReady = false;

  /** @param file the entry point; it calls `reportReady` when it does its work */
  constructor(name: string, file: string) {
    this.name = name;
    this.file = file;
  }

  /**
   * Starts it and waits until it is ready.
   *
   * @throws Error when it dies three times before that
   */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => this.run(resolve, () => this.again(begin, reject));
      begin();
    });
  }

  private run(ready: () => void, died: () => void): void {
    const since = Date.now();
    // In our process group and with our environment, complete by now.
    const child = fork(this.file, [], { cwd: ROOT, stdio: "inherit", execArgv: ["--disable-warning=ExperimentalWarning"] });
    this.process = child;
    child.on("message", (message) => {
      if (!(message as { ready?: boolean }).ready) return;
      this.everReady = true;
      ready();
    });
    child.on("exit", (code, signal) => {
      this.process = undefined;
      if (this.stopping) return;
      if (Date.now() - since > WELL_AFTER_MS) this.deaths = 0;
      this.deaths++;
      say(`The ${this.name} process ended (${signal ?? code}).`);
      died();
    });
  }

  private async again(begin: () => void, reject: (error: Error) => void): Promise<void> {
    if (!this.everReady && this.deaths >= TRIES_BEFORE_READY) {
      reject(new Error(`The ${this.name} process does not start. Its own words are above.`));
      return;
    }
    await sleep(Math.min(FIRST_PAUSE_MS * 2 ** (this.deaths - 1), LONGEST_PAUSE_MS));
    if (!this.stopping) begin();
  }

  /** Ends it for good: SIGTERM, and SIGKILL when it is still there after 8 s. */
  async stop(): Promise<void> {
    this.stopping = true;
    const child = this.process;
    if (!child) return;
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS);
    await gone;
    clearTimeout(timer);
  }

  /** Ends it at once. */
  kill(): void {
    this.stopping = true;
    this.process?.kill("SIGKILL");
  }
}

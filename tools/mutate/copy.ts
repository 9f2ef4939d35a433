import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { commandOf, ROOT } from "../run-command.ts";
import { COPY, KEPT } from "./records.ts";
import type { Failed, Order } from "./run-tests.ts";

/** Checks out the last commit beside the working tree, which no mutation touches. */
export function makeCopy(): void {
  removeCopy();
  for (const folder of ["records", "recording"]) mkdirSync(path.join(KEPT, folder), { recursive: true });
  execFileSync("git", ["worktree", "add", "--quiet", "--force", "--detach", COPY], { cwd: ROOT });
  symlinkSync(path.join(ROOT, "node_modules"), path.join(COPY, "node_modules"));
  cpSync(path.join(ROOT, "lib/db/generated"), path.join(COPY, "lib/db/generated"), { recursive: true });
}

export function removeCopy(): void {
  rmSync(COPY, { recursive: true, force: true });
  execFileSync("git", ["worktree", "prune"], { cwd: ROOT });
}

/** Does a task while a file of the copy is another, and gives it back. */
export async function whileChanged<T>(file: string, text: string, task: () => Promise<T>): Promise<T> {
  const place = path.join(COPY, file);
  const before = readFileSync(place, "utf8");
  writeFileSync(place, text);
  try {
    return await task();
  } finally {
    writeFileSync(place, before);
  }
}

/** Says whether the copy's types are right. */
export function typesHold(): boolean {
  try {
    const cache = path.join(KEPT, "types.tsbuildinfo");
    execFileSync(process.execPath, [commandOf("typescript", "tsc"), "--noEmit", "--incremental", "--tsBuildInfoFile", cache], {
      cwd: COPY,
      stdio: "pipe",
    });
    return true;
  } catch {
    return false;
  }
}

/** The process that runs the copy's tests. One that does not answer in time is killed, and started again when it is asked anew. */
export class TestRunner {
  private child: ChildProcess | null = null;
  private readonly mode: "record" | "mutate";
  private wasKilled = false;

  constructor(mode: "record" | "mutate") {
    this.mode = mode;
  }

  async start(): Promise<void> {
    if (this.child) return;
    this.child = fork(path.join(ROOT, "tools/mutate/run-tests.ts"), [this.mode], { cwd: COPY, detached: true });
    await this.answer();
  }

  /** @returns the test that failed, null where none did, "late" where it took longer than the limit */
  async run(order: Order, limitMs?: number): Promise<Failed | "late"> {
    this.child?.send(order);
    return this.answer(limitMs);
  }

  async stop(): Promise<void> {
    if (this.wasKilled) await this.start(); // which ends the PostgreSQL that the killed one left
    const { child } = this;
    this.child = null;
    if (!child) return;
    child.disconnect();
    await once(child, "exit");
  }

  private async answer(limitMs?: number): Promise<Failed | "late"> {
    const { child } = this;
    if (!child?.pid) throw new Error("the process that runs the tests did not start");
    const signal = limitMs === undefined ? undefined : AbortSignal.timeout(limitMs);
    const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`the process that runs the tests ended with ${code}`)));
    ended.catch(() => {}); // later it is meant to
    try {
      const [failed] = await Promise.race([once(child, "message", signal ? { signal } : {}), ended]);
      return failed;
    } catch (error) {
      if (!signal?.aborted) throw error;
      this.child = null;
      this.wasKilled = true;
      process.kill(-child.pid, "SIGKILL");
      return "late";
    }
  }
}

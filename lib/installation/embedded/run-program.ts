import { spawn } from "node:child_process";
import path from "node:path";
import { toolEnvironment } from "#lib/config/tool-environment";
import type { Account } from "./account.ts";

const KEPT_OUTPUT = 1500;

/**
 * Runs one of PostgreSQL's programs to its end, as the server's account.
 *
 * @throws Error with the end of its output when it exits with anything but 0
 */
export function runProgram(file: string, args: string[], account: Account): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...account,
      // The account may not be allowed to enter the present folder.
      ...(account && { cwd: "/" }),
      env: toolEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    let output = "";
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-KEPT_OUTPUT);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", reject);
    // `exit`, not `close`: the server inherits the pipes from pg_ctl and keeps them open.
    child.on("exit", (code) => {
      child.stdout.destroy();
      child.stderr.destroy();
      if (code === 0) resolve();
      else reject(new Error(`${path.basename(file)} failed (${code}): ${output.trim()}`));
    });
  });
}

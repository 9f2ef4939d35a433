import { spawn } from "node:child_process";
import path from "node:path";
import { toolEnvironment } from "#lib/config/tool-environment";
import { type Account, asAccount } from "./account.ts";

const KEPT_OUTPUT = 1500;

/** Runs one of PostgreSQL's programs. @throws Error with the end of its output unless it exits with 0 */
export function runProgram(file: string, args: string[], account: Account, input?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(...asAccount(account, file, args), {
      ...(account && !account.inNamespace && { uid: account.uid, gid: account.gid }),
      // The account may not be allowed to enter the present folder.
      ...(account && { cwd: "/" }),
      env: toolEnvironment(),
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    child.stdin.on("error", () => undefined); // it ended without reading: its exit code says why
    child.stdin.end(input);
    let output = "";
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-KEPT_OUTPUT);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", reject);
    // `exit`, not `close`: the server inherits pg_ctl's pipes and keeps them open.
    child.on("exit", (code) => {
      child.stdout.destroy();
      child.stderr.destroy();
      if (code === 0) resolve();
      else reject(new Error(`${path.basename(file)} failed (${code}): ${output.trim()}`));
    });
  });
}

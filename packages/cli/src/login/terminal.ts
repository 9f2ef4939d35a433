import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { CliError } from "../output/exit.ts";

/** Asks on the terminal without showing what is typed. */
export function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  return new Promise((resolve, reject) => {
    lines.once("SIGINT", () => {
      process.stderr.write("\n");
      reject(new CliError("Stopped."));
      lines.close();
    });
    lines.once("line", (line) => {
      process.stderr.write("\n");
      resolve(line.trim());
      lines.close();
    });
  });
}

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = { darwin: ["open"], win32: ["cmd", "/c", "start", ""] };

/** Opens a page in the browser, where there is one; where there is none, the page's URL is on the terminal anyway. */
export function openBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => process.stderr.write(`No browser could be opened. Open ${url}\n`));
  child.unref();
}

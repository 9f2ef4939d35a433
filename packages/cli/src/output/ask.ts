import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { CliError } from "./exit.ts";

/** Asks on standard error. @throws CliError if the user presses Ctrl-C or Ctrl-D */
export function ask(question: string, { hidden = false } = {}): Promise<string> {
  // readline echoes what is typed: for a secret, nowhere.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: true });
  // Written once the terminal no longer echoes: a key pasted at once must not be shown.
  if (hidden) process.stderr.write(question);
  return new Promise((resolve, reject) => {
    let answer: string | undefined;
    lines.once("SIGINT", () => lines.close());
    lines.once("close", () => {
      if (hidden || answer === undefined) process.stderr.write("\n");
      if (answer === undefined) reject(new CliError("Stopped: no answer was given."));
      else resolve(answer);
    });
    lines.question(hidden ? "" : question, (line) => {
      answer = line.trim();
      lines.close();
    });
  });
}

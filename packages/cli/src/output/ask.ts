import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { CliError } from "./exit.ts";

/**
 * Asks a person on the terminal, on standard error. @returns the answer without spaces around it
 *
 * @throws CliError when the person ends the question with Ctrl-C or Ctrl-D
 */
export function ask(question: string, { hidden = false } = {}): Promise<string> {
  // Typed text is shown by what readline writes: nowhere, for a secret.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: true });
  // Only now, when the terminal shows no keys by itself any more: a key pasted at once must not be seen.
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

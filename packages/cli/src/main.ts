#!/usr/bin/env node
import { CommanderError } from "commander";
import { printable, printableLines } from "../../../lib/contracts/api/plain-text.ts";
import { CliError, EXIT } from "./exit.ts";
import { makeProgram } from "./program.ts";
import { watchReaders } from "./terminal.ts";

watchReaders();

try {
  await makeProgram().parseAsync(process.argv);
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  // Commander has already printed its help or error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
  if (error instanceof CliError) {
    process.stderr.write(`signalbox: ${printable(error.message)}\n${error.hint ? `${printable(error.hint)}\n` : ""}`);
    return error.exitCode;
  }
  process.stderr.write(`signalbox: unexpected error. Please report this.\n${printableLines(String((error as Error).stack ?? error))}\n`);
  return EXIT.failed;
}

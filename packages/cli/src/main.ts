#!/usr/bin/env node
import { CommanderError } from "commander";
import { printable, printableLines } from "../../../lib/contracts/api/plain-text.ts";
import { CliError, EXIT } from "./output/exit.ts";
import { watchReaders } from "./output/reader.ts";
import { makeProgram } from "./program.ts";

// `signalbox`: parses the arguments, runs the command, and says in words what failed.

watchReaders();

try {
  await makeProgram().parseAsync(process.argv);
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  // Commander has printed its help or what was wrong with the arguments already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
  if (error instanceof CliError) {
    process.stderr.write(`signalbox: ${printable(error.message)}\n${error.hint ? `${printable(error.hint)}\n` : ""}`);
    return error.exitCode;
  }
  process.stderr.write(`signalbox: unexpected error. Please report this.\n${printableLines(String((error as Error).stack ?? error))}\n`);
  return EXIT.failed;
}

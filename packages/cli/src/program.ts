import { Command, Option } from "commander";
import { defineDelivery, defineEvents } from "./commands/events.ts";
import { defineIssues, defineQuarantine, defineSources } from "./commands/resources.ts";
import { defineSchemas } from "./commands/schemas.ts";
import { defineCompletion, defineLogin } from "./commands/setup.ts";
import { defineTools } from "./commands/tools.ts";
import { ownVersion } from "./settings.ts";
import { FORMATS } from "./terminal.ts";

/** Defines every command with its flags and help. Its code is loaded when called, so that `--help` starts fast. */
export function makeProgram(): Command {
  const program = new Command("signalbox")
    .description("The command line of Signalbox: read the log, receive events on your laptop, replay them.")
    .version(ownVersion(), "-V, --version")
    .option("--url <url>", "the URL of Signalbox (SIGNALBOX_URL; default: the last login's)")
    .option("--key-file <file>", "a file with the API key (SIGNALBOX_API_KEY holds the key itself; default: the login's)")
    .option("--allow-http", "send the API key over http:// to another machine (SIGNALBOX_ALLOW_HTTP=1)")
    .addOption(
      new Option("--output <format>", "pretty for people, ndjson for programs, quiet for IDs alone").choices(FORMATS).default("pretty"),
    )
    .option("--no-color", "no colors (the default with NO_COLOR, or when standard output is not a terminal)")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show the help of a command")
    .showHelpAfterError("(see --help)")
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .addHelpText(
      "after",
      `
Examples:
  $ signalbox login http://localhost:3000
  $ signalbox listen 4000
  $ signalbox events ls --state failed --period 24h
  $ signalbox events ls --output ndjson | jq .type

Exit codes: 0 success, 1 failed, 2 wrong usage, 3 gave up reconnecting.
Data goes to standard output, everything else to standard error.`,
    );
  for (const define of [
    defineLogin,
    defineDelivery,
    defineEvents,
    defineIssues,
    defineQuarantine,
    defineSources,
    defineSchemas,
    defineTools,
    defineCompletion,
  ])
    define(program);
  for (const command of allCommands(program)) command.exitOverride().helpOption("-h, --help", "show help");
  return program;
}

const allCommands = (command: Command): Command[] => command.commands.flatMap((each) => [each, ...allCommands(each)]);

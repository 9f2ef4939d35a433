import { type Command, Option } from "commander";
import type { CheckOptions } from "../schema-check.ts";
import type { PullOptions } from "../schema-files.ts";
import type { TypesOptions } from "../types.ts";
import { sessionOf } from "./session.ts";

const OBSERVED_OR_PINNED = "observed: as events came; pinned: as somebody pinned them";

export function defineSchemas(program: Command): void {
  program
    .command("types")
    .description("Write types of the events")
    .addOption(
      new Option("--from <schemas>", `catalogue: as documented; ${OBSERVED_OR_PINNED}`)
        .choices(["catalogue", "observed", "pinned"])
        .default("catalogue"),
    )
    .option("--source <name>", "only of this source")
    .option("--zod", "Zod schemas instead of TypeScript types")
    .option("--json-schema", "JSON Schema (2020-12) instead of TypeScript types")
    .option("--out <file>", "write to this file (default: standard output)")
    .addHelpText("after", TYPES_HELP)
    .action(async (options: TypesOptions, command: Command) => (await import("../types.ts")).writeTypes(sessionOf(command), options));
  const schema = program.command("schema").description("Keep the schemas of events as files, and check events against them");
  schema
    .command("pull")
    .description("Write a JSON Schema for each event type into a folder")
    .requiredOption("--dir <folder>", "the folder")
    .addOption(new Option("--from <schemas>", OBSERVED_OR_PINNED).choices(["observed", "pinned"]).default("observed"))
    .option("--source <name>", "only of this source")
    .addHelpText("after", "\nExample:\n  $ signalbox schema pull --dir schemas")
    .action(async (options: PullOptions, command: Command) =>
      (await import("../schema-files.ts")).pullSchemas(sessionOf(command), options),
    );
  schema
    .command("check")
    .description("Compare what was observed with the schemas in a folder")
    .requiredOption("--dir <folder>", "the folder of schema pull")
    .option("--from <file>", "check the events of an export (NDJSON) instead, without a connection")
    .option("--junit <file>", "write the result as a JUnit XML file")
    .addHelpText("after", CHECK_HELP)
    .action(async (options: CheckOptions, command: Command) =>
      (await import("../schema-check.ts")).checkSchemas(sessionOf(command), options),
    );
}

const TYPES_HELP = `
A field of observed types is required where all of 300 or more events had it; a comment says how many did.

Examples:
  $ signalbox types --from observed --out src/signalbox-events.d.ts
  $ signalbox types --from pinned --zod --source stripe-live --out src/events.ts`;

const CHECK_HELP = `
What a schema requires must be there, as one of its types and values; fields that it does not name are fine.

Examples:
  $ signalbox schema check --dir schemas --junit schemas.xml
  $ signalbox schema check --dir schemas --from export.ndjson

Exit codes: 0 all as the schemas say, 1 something is not, 2 wrong usage.`;

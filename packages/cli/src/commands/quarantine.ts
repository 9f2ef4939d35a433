import type { Command } from "commander";
import { sessionOf } from "./session.ts";

export function defineQuarantine(program: Command): void {
  const quarantine = program.command("quarantine").description("Read and release quarantined requests");
  quarantine
    .command("ls")
    .description("List quarantined requests, newest first")
    .option("--source <source>", "only from this source")
    .option("--limit <n>", "maximum number of results (0 for all)", "50")
    .action(async (options: { source?: string; limit: string }, command: Command) => {
      const { listQuarantine } = await import("../quarantine/quarantine.ts");
      await listQuarantine(sessionOf(command), options);
    });
  quarantine
    .command("explain")
    .argument("<id>", "the request's ID")
    .description("Show why a request was quarantined, and what to do")
    .action(async (id: string, _options: unknown, command: Command) => {
      const { explainQuarantined } = await import("../quarantine/quarantine.ts");
      await explainQuarantined(sessionOf(command), id);
    });
  quarantine
    .command("release")
    .argument("<id>", "the request's ID")
    .description("Verify a request again and release it into the log")
    .addHelpText("after", "\nExit code 1 when it does not verify.")
    .action(async (id: string, _options: unknown, command: Command) => {
      const { releaseQuarantined } = await import("../quarantine/quarantine.ts");
      await releaseQuarantined(sessionOf(command), id);
    });
}

import type { Command } from "commander";
import { sessionOf } from "./session.ts";

export function defineSources(program: Command): void {
  const sources = program.command("sources").description("Read, pause and resume the sources that webhooks come from");
  sources
    .command("ls")
    .description("List sources with their URLs and the last event of each")
    .action(async (_options: unknown, command: Command) => {
      const { listSources } = await import("../sources/sources.ts");
      await listSources(sessionOf(command));
    });
  for (const [action, { description, paused }] of Object.entries(ACTIONS)) {
    sources
      .command(action)
      .argument("<name>", "the source's name")
      .description(description)
      .action(async (name: string, _options: unknown, command: Command) => {
        const { pauseSource } = await import("../sources/sources.ts");
        await pauseSource(sessionOf(command), name, paused);
      });
  }
}

const ACTIONS = {
  pause: { description: "Hold what a source receives in quarantine, until it is resumed", paused: true },
  resume: { description: "Resume a source, and release what it held", paused: false },
};

import { type Command, Option } from "commander";
import { collect, sessionOf } from "./session.ts";

const STATES = ["open", "acknowledged", "resolved", "ignored"];

export function defineIssues(program: Command): void {
  const issues = program.command("issues").description("Read and change issues: failures grouped by cause");
  issues
    .command("ls")
    .description("List issues, latest failure first")
    .option("--state <state>", `${STATES.join(", ")}; repeats`, collect)
    .addOption(
      new Option(
        "--origin <origin>",
        "processing: could not be applied; platform: reported by the platform; forwarding: not delivered to a destination",
      ).choices(["processing", "platform", "forwarding"]),
    )
    .option("--source <source>", "only from this source")
    .option("--assignee <member>", "me, none or a member's ID")
    .option("--limit <n>", "maximum number of results (0 for all)", "50")
    .addHelpText("after", "\nExample:\n  $ signalbox issues ls --state open")
    .action(async (options: { state?: string[]; origin?: string; source?: string; assignee?: string; limit: string }, command: Command) => {
      const { listIssues } = await import("../issues/issues.ts");
      await listIssues(sessionOf(command), options);
    });
  issues
    .command("causes")
    .description("List what several open issues have in common")
    .action(async (_options: unknown, command: Command) => {
      const { listCauses } = await import("../issues/issues.ts");
      await listCauses(sessionOf(command));
    });
  issues
    .command("show")
    .argument("<id>", "the issue's ID")
    .description("Show one issue: what failed, why, and the fix")
    .action(async (id: string, _options: unknown, command: Command) => {
      const { showIssue } = await import("../issues/issues.ts");
      await showIssue(sessionOf(command), id);
    });
  for (const [action, description] of Object.entries(ACTIONS)) {
    issues
      .command(action)
      .argument("<id>", "the issue's ID")
      .description(description)
      .action(async (id: string, _options: unknown, command: Command) => {
        const { changeIssue } = await import("../issues/issues.ts");
        await changeIssue(sessionOf(command), id, action);
      });
  }
}

const ACTIONS = {
  resolve: "Resolve an issue; it opens again when it recurs",
  acknowledge: "Mark an issue as being worked on",
  ignore: "Ignore an issue: you won't be alerted if it recurs",
  reopen: "Open an issue again",
};

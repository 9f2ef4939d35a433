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
      ).choices(["processing", "platform", "forwarding", "schema"]),
    )
    .option("--source <source>", "only from this source")
    .option("--assignee <member>", "me, none or a member's ID")
    .option("--limit <n>", "maximum number of results (0 for all)", "50")
    .addHelpText("after", "\nExample:\n  $ signalbox issues ls --state open")
    .action(async (options: { state?: string[]; origin?: string; source?: string; assignee?: string; limit: string }, command: Command) =>
      (await import("../lists.ts")).listIssues(sessionOf(command), options),
    );
  issues
    .command("causes")
    .description("List what several open issues have in common")
    .action(async (_options: unknown, command: Command) => (await import("../lists.ts")).listCauses(sessionOf(command)));
  issues
    .command("show")
    .argument("<id>", "the issue's ID")
    .description("Show one issue: what failed, why, and the fix")
    .action(async (id: string, _options: unknown, command: Command) => (await import("../lists.ts")).showIssue(sessionOf(command), id));
  for (const [action, description] of Object.entries(ACTIONS)) {
    issues
      .command(action)
      .argument("<id>", "the issue's ID")
      .description(description)
      .action(async (id: string, _options: unknown, command: Command) =>
        (await import("../lists.ts")).changeIssue(sessionOf(command), id, action),
      );
  }
}

const ACTIONS = {
  resolve: "Resolve an issue; it opens again when it recurs",
  acknowledge: "Mark an issue as being worked on",
  ignore: "Ignore an issue: you won't be alerted if it recurs",
  reopen: "Open an issue again",
};

export function defineQuarantine(program: Command): void {
  const quarantine = program.command("quarantine").description("Read and release quarantined requests");
  quarantine
    .command("ls")
    .description("List quarantined requests, newest first")
    .option("--source <source>", "only from this source")
    .option("--limit <n>", "maximum number of results (0 for all)", "50")
    .action(async (options: { source?: string; limit: string }, command: Command) =>
      (await import("../lists.ts")).listQuarantine(sessionOf(command), options),
    );
  quarantine
    .command("explain")
    .argument("<id>", "the request's ID")
    .description("Show why a request was quarantined, and what to do")
    .action(async (id: string, _options: unknown, command: Command) =>
      (await import("../lists.ts")).explainQuarantined(sessionOf(command), id),
    );
  quarantine
    .command("release")
    .argument("<id>", "the request's ID")
    .description("Verify a request again and release it into the log")
    .addHelpText("after", "\nExit code 1 when it does not verify.")
    .action(async (id: string, _options: unknown, command: Command) =>
      (await import("../lists.ts")).releaseQuarantined(sessionOf(command), id),
    );
}

export function defineSources(program: Command): void {
  const sources = program.command("sources").description("Read, pause and resume the sources that webhooks come from");
  sources
    .command("ls")
    .description("List sources with their URLs and the last event of each")
    .action(async (_options: unknown, command: Command) => (await import("../lists.ts")).listSources(sessionOf(command)));
  for (const [action, { description, paused }] of Object.entries(SOURCE_ACTIONS)) {
    sources
      .command(action)
      .argument("<name>", "the source's name")
      .description(description)
      .action(async (name: string, _options: unknown, command: Command) =>
        (await import("../lists.ts")).pauseSource(sessionOf(command), name, paused),
      );
  }
}

const SOURCE_ACTIONS = {
  pause: { description: "Hold what a source receives in quarantine, until it is resumed", paused: true },
  resume: { description: "Resume a source, and release what it held", paused: false },
};

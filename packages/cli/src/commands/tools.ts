import type { Command } from "commander";
import type { VerifyOptions } from "../verify.ts";
import { collect, sessionOf } from "./session.ts";

export function defineTools(program: Command): void {
  program
    .command("verify")
    .description("Check a webhook's signature on this machine, with the receiver's own diagnosis")
    .requiredOption("--secret-file <file>", "the signing secret; can be repeated, e.g. while it is being rotated", collect)
    .option("--signature <value>", "the value of the header with the signature: X-Webhook-Signature, or the one of --source")
    .option("--source <name>", "check as the sender of this source signs (asks Signalbox how; body and secret stay here)")
    .option("--header <header>", "with --source: a header of the request, 'Name: value'; can be repeated", collect)
    .option("--at <time>", "with --source: when it was received (2026-01-31T12:00:00Z; default: now)")
    .option("--body <file>", "the exact body (default: standard input)")
    .addHelpText(
      "after",
      `
Exit code 1 when it does not verify.

Examples:
  $ signalbox verify --secret-file secret.txt --signature 3f1c… < body.json
  $ signalbox verify --source stripe-live --secret-file whsec.txt --header 'Stripe-Signature: t=…,v1=…' --at 2026-01-31T12:00:00Z < body.json`,
    )
    .action(async (options: VerifyOptions, command: Command) => (await import("../verify.ts")).verify(sessionOf(command), options));
  program
    .command("trigger")
    .argument("<type>", "the event's type, e.g. document.processed")
    .description("Send an event from the sandbox platform (requires the sandbox)")
    .option("--data <file>", "its payload's data as JSON, from a file; - reads standard input")
    .option("--fault <fault>", "send it with a fault, e.g. wrong_signature, duplicate, malformed")
    .addHelpText(
      "after",
      '\nExamples:\n  $ signalbox trigger document.processed\n  $ echo \'{"documentId":"doc_1"}\' | signalbox trigger document.error --data -',
    )
    .action(async (type: string, options: { data?: string; fault?: string }, command: Command) =>
      (await import("../trigger.ts")).trigger(sessionOf(command), type, options),
    );
  program
    .command("mcp")
    .description("Serve the log to an assistant: a Model Context Protocol server on standard input and output")
    .option("--allow-write", "also the tools that change something: re-deliver, release, resolve (your key's role decides)")
    .addHelpText("after", MCP_HELP)
    .action(async (options: { allowWrite?: boolean }, command: Command) =>
      (await import("../assistant.ts")).serveAssistant(sessionOf(command), options.allowWrite === true),
    );
  program
    .command("doctor")
    .description("Check the installation in this folder (run it on the machine of the installation)")
    .action(async () => (await import("../doctor.ts")).runDoctor());
}

const MCP_HELP = `
Read only unless --allow-write: the other tools then do not exist. Payloads are marked as untrusted data.

In the configuration of an assistant:
  { "mcpServers": { "signalbox": { "command": "signalbox", "args": ["mcp"] } } }
Or over HTTP, without this command: the URL <signalbox>/api/v1/mcp with the header Authorization: Bearer sbx_…`;

import { readFileSync } from "node:fs";
import { parseExact } from "../../../lib/contracts/exact-json.ts";
import { countWords } from "../../../lib/contracts/format-count.ts";
import type { SandboxSent } from "../../../lib/contracts/sandbox.ts";
import { ApiFailure } from "./api-client.ts";
import type { Session } from "./commands/session.ts";
import { CliError, usageError } from "./exit.ts";

export async function trigger({ output, api }: Session, type: string, options: { data?: string; fault?: string }): Promise<void> {
  const data = options.data === undefined ? undefined : readData(options.data);
  const sent = await api()
    .post<SandboxSent>("/sandbox/api/events", { type, ...(data !== undefined && { data }), ...(options.fault && { fault: options.fault }) })
    .catch((error: unknown) => {
      if (!(error instanceof ApiFailure) || error.status !== 404) throw error;
      throw new CliError("The sandbox is off on this Signalbox.", { hint: "Send an event from the platform, or set SANDBOX=on." });
    });
  output.item(sent, () => `Queued ${sent.eventIds.join(", ") || countWords(sent.queued, "request")}.`, sent.eventIds.join("\n"));
}

function readData(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw usageError(`The data can't be read: ${(error as Error).message}`);
  }
  try {
    return parseExact(text);
  } catch (error) {
    throw usageError(`The data is not JSON: ${(error as Error).message}`);
  }
}

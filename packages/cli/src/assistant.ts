import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { makeAssistantServer } from "../../../lib/assistants/assistant-server.ts";
import { printable } from "../../../lib/contracts/api/plain-text.ts";
import type { Session } from "./commands/session.ts";
import { ownVersion } from "./settings.ts";

/** Serves an assistant until standard input ends. Standard output belongs to the protocol. */
export async function serveAssistant({ api: open, target }: Session, allowWrite: boolean): Promise<void> {
  const api = open();
  const access = { consoleUrl: target.url, get: api.get<unknown>, post: api.post<unknown> };
  const handle = serveStdio(() => makeAssistantServer(access, { allowWrite, version: ownVersion() }), {
    onerror: (error) => void process.stderr.write(`signalbox: ${printable(error.message)}\n`),
  });
  await new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  await handle.close();
}

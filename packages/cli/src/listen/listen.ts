import type { SessionInfo } from "../../../../lib/contracts/auth/settings.ts";
import type { ListenedEvent } from "../../../../lib/contracts/events/listeners.ts";
import { followStream } from "../api/follow-stream.ts";
import type { Session } from "../commands/session.ts";
import type { ListenOptions } from "../deliver/options.ts";
import { openReporter } from "../deliver/report.ts";
import { openSender } from "../deliver/send.ts";
import { countOf, shownUrl, targetUrl } from "../deliver/target.ts";
import { requestMaker } from "../deliver/webhook.ts";
import { parseDuration, within } from "../output/time.ts";
import { findBeginning } from "./beginning.ts";
import { type CursorFile, openCursorFile } from "./cursor-file.ts";
import { handOver } from "./hand-over.ts";
import { payloadFilter } from "./payload-filter.ts";
import { Window } from "./window.ts";

export async function listen(session: Session, target: string, options: ListenOptions): Promise<void> {
  const { output } = session;
  const url = targetUrl(target);
  const isWanted = payloadFilter(options.filter);
  const concurrency = countOf(options.concurrency, "--concurrency");
  const timeoutMs = parseDuration(options.timeout);
  const maxOfflineMs = options.maxOffline === undefined ? Number.POSITIVE_INFINITY : parseDuration(options.maxOffline);
  const makeRequest = requestMaker(options, output);
  const api = session.api();
  const { workspace } = await api.get<SessionInfo>("/api/v1/session");
  const name = options.name ?? "";
  const cursorFile = openCursorFile({ server: api.url, workspace: workspace.id, url: url.href, name }, output);
  const stop = stopper();
  const sender = openSender(url, { concurrency, timeoutMs });
  const reporter = openReporter(api, output);
  const window = new Window(concurrency, cursorFile.save, stop.signal);
  const handing = { sender, reporter, makeRequest, output, url: shownUrl(url), listener: name || undefined, signal: stop.signal };
  try {
    const { cursor, query } = await findBeginning(session, api, cursorFile, options);
    const described = { ...query, name: name || undefined, url: shownUrl(url) };
    const frames = followStream(api, "/api/v1/listeners/feed", { query: described, cursor, signal: stop.signal, maxOfflineMs, output });
    for await (const { event, id, data, first } of frames) {
      if (event === "ready") greet(session, shownUrl(url), first, data as { reset: boolean });
      if (id === null) continue;
      if (event === "event" && isWanted(data as ListenedEvent)) await window.start(id, () => handOver(data as ListenedEvent, handing));
      else window.pass(id);
    }
  } finally {
    // Also after a failure: nothing new starts, and work that waits for the app ends.
    stop.abort();
    await finish({ window, cursorFile, reporter, sender });
  }
}

function greet({ output }: Session, url: string, first: boolean, { reset }: { reset: boolean }): void {
  if (reset) output.warn("Signalbox was restored from an earlier time: continuing from its newest event. Use --since to go further back.");
  if (first) output.note(`Forwarding events to ${url}. Press Ctrl-C to stop.`);
}

/** The first signal stops taking events, the second exits at once. */
function stopper(): AbortController {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(1);
      stop.abort();
      // The terminal wrote ^C: this puts the shell's prompt on its own line.
      if (name === "SIGINT" && process.stderr.isTTY) process.stderr.write("\n");
    });
  return stop;
}

/** Waits a moment for responses to events already sent, then saves the cursor and the responses. */
async function finish(parts: {
  window: Window;
  cursorFile: CursorFile;
  reporter: { close: () => Promise<void> };
  sender: { close: () => void };
}) {
  await within(parts.window.idle(), 5000);
  parts.cursorFile.close();
  parts.sender.close();
  await within(parts.reporter.close(), 3000);
}

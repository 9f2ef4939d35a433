import { printable } from "../../../lib/contracts/api/plain-text.ts";
import type { SessionInfo } from "../../../lib/contracts/auth/settings.ts";
import type { ListenedEvent, WaitingEvents } from "../../../lib/contracts/events/listeners.ts";
import { parseExact } from "../../../lib/contracts/exact-json.ts";
import { formatNumber, nounFor } from "../../../lib/contracts/format-count.ts";
import { findFilterProblem } from "../../../lib/contracts/forwarding/event-filter.ts";
import { Comparisons, compileFilter } from "../../../lib/forwarding/match-filter.ts";
import { readPayload } from "../../../lib/platform/payload.ts";
import type { Api, Query } from "./api-client.ts";
import type { Session } from "./commands/session.ts";
import { type CursorFile, openCursorFile, sinceWords } from "./cursor-file.ts";
import { countOf, type ListenOptions, openReporter, openSender, shownUrl, targetUrl } from "./deliver.ts";
import { bodyOf } from "./events.ts";
import { usageError } from "./exit.ts";
import { followStream } from "./follow-stream.ts";
import { handOver, Window } from "./hand-over.ts";
import { findSenders, readSigning, requestMaker } from "./requests.ts";
import { ask } from "./terminal.ts";
import { parseDuration, within } from "./time.ts";

export async function listen(session: Session, target: string, options: ListenOptions): Promise<void> {
  const { output } = session;
  const url = targetUrl(target);
  const isWanted = payloadFilter(options.filter);
  const concurrency = countOf(options.concurrency, "--concurrency");
  const timeoutMs = parseDuration(options.timeout);
  const maxOfflineMs = options.maxOffline === undefined ? Number.POSITIVE_INFINITY : parseDuration(options.maxOffline);
  const signing = readSigning(options, output);
  const api = session.api();
  const { workspace } = await api.get<SessionInfo>("/api/v1/session");
  const makeRequest = requestMaker(signing, await findSenders(api, signing), output);
  const name = options.name ?? "";
  const cursorFile = openCursorFile({ server: api.url, workspace: workspace.id, url: url.href, name }, output);
  const stop = stopper();
  const sender = openSender(url, { concurrency, timeoutMs });
  const reporter = openReporter(api, output);
  const window = new Window(concurrency, cursorFile.save, stop.signal);
  const handing = {
    sender,
    reporter,
    makeRequest,
    output,
    target: url,
    url: shownUrl(url),
    listener: name || undefined,
    signal: stop.signal,
  };
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

/** Returns where to start: `--since`, or where the last run stopped (missed events are sent or skipped), or now. */
async function findBeginning(
  { output }: Session,
  api: Api,
  cursorFile: CursorFile,
  { type, source, filter: payload, since, catchUp }: ListenOptions,
): Promise<{ cursor: string | null; query: Query }> {
  const filter: Query = { type, source };
  const kept = cursorFile.read();
  const place = since === undefined ? { from: kept?.cursor } : { since: new Date(Date.now() - parseDuration(since)).toISOString() };
  const waiting = await api.get<WaitingEvents>("/api/v1/listeners/waiting", { ...filter, ...place });
  // A server of an earlier version names nothing.
  const { count, more, cursor: end, unknown = [] } = waiting;
  for (const { message } of unknown) output.warn(printable(message));
  if (!kept && since === undefined) {
    // Saved at once: events before the stream opens are not missed either.
    cursorFile.save(end);
    return { cursor: end, query: filter };
  }
  const words = `${formatNumber(count)}${more ? " or more" : ""} ${nounFor(count, "event")}${payload === undefined ? "" : " (before --filter)"}`;
  const choice = catchUp ?? (since === undefined && count > 0 ? await askWhatToDo(words, kept?.savedAt) : "send");
  if (choice === "skip") {
    if (count > 0) output.note(`Skipped ${words}.`);
    cursorFile.save(end);
    return { cursor: end, query: filter };
  }
  if (count > 0)
    output.note(
      `Sending ${words} received ${since === undefined ? `since this command stopped ${sinceWords(kept?.savedAt ?? "")} ago` : `in the last ${since}`}.`,
    );
  return since === undefined ? { cursor: kept?.cursor ?? null, query: filter } : { cursor: null, query: { ...filter, ...place } };
}

async function askWhatToDo(words: string, savedAt: string | undefined): Promise<"send" | "skip"> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return "send";
  for (let question = `${words} received since this command stopped ${sinceWords(savedAt ?? "")} ago. Send or skip? [send] `; ; ) {
    const answer = (await ask(question)).toLowerCase();
    if (/^(s|se|sen|send|y|yes|)$/.test(answer)) return "send";
    if (/^(sk|ski|skip|n|no)$/.test(answer)) return "skip";
    question = "Type send or skip: ";
  }
}

type PayloadFilter = (event: ListenedEvent) => boolean;

/** `--filter`, by the grammar and code of destinations (docs/forwarding.md). @throws CliError: an unknown operator is never ignored */
export function payloadFilter(text: string | undefined): PayloadFilter {
  if (text === undefined) return () => true;
  const filter = readJson(text);
  const problem = filter === undefined ? { path: "", message: "is not JSON" } : findFilterProblem(filter);
  if (problem)
    throw usageError(`--filter ${problem.path && `${problem.path} `}${problem.message}.`, `Write it like '{"data":{"status":"failed"}}'.`);
  const match = compileFilter(filter as Record<string, unknown>);
  return (event) => {
    const payload = readPayload(bodyOf(event));
    // Unbounded: it holds up only the developer who wrote it.
    return payload.ok && match(payload.value, new Comparisons(Number.POSITIVE_INFINITY)) === "matched";
  };
}

function readJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

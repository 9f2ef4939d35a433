import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { EventDetail, EventFilter, EventSummary } from "../../../lib/contracts/events/events.ts";
import { countWords } from "../../../lib/contracts/format-count.ts";
import type { Api } from "./api-client.ts";
import type { Session } from "./commands/session.ts";
import {
  answerReport,
  countOf,
  machineName,
  openReporter,
  openSender,
  type ReplayOptions,
  type Reporter,
  shownUrl,
  targetUrl,
} from "./deliver.ts";
import { CliError, EXIT, usageError } from "./exit.ts";
import { compareAnswers, ignoredPaths, junitXml, printResult, printSummary, type Result } from "./replay-report.ts";
import { findSenders, type MakeRequest, readSigning, requestMaker, type Webhook } from "./requests.ts";
import { goOnUnread } from "./terminal.ts";
import { parseDuration, within } from "./time.ts";

export async function replay(session: Session, ids: string[], filter: EventFilter, options: ReplayOptions): Promise<void> {
  const { output } = session;
  const run = prepare(session, ids, filter, options);
  const api = session.api();
  const events = ids.length > 0 ? await readByIds(api, ids) : await readByFilter(api, filter, run.limit);
  if (events.length === 0) throw new CliError("No event matches.");
  const makeRequest = requestMaker(run.signing, await findSenders(api, run.signing), output);
  output.note(`Sending ${countWords(events.length, "event")} to ${run.targets.map(({ shown }) => shown).join(" and ")}.`);
  goOnUnread(); // `| head` has seen enough: the rest is sent, reported and counted all the same
  const reporter = options.report ? openReporter(api, output) : null;
  const results: Result[] = [];
  const since = performance.now();
  try {
    await inTurn(events, run.concurrency, run.rate, async (event) => {
      const result = await sendToAll(event, { ...run, makeRequest }, reporter);
      results.push(result);
      printResult(output, result, run.targets.length > 1);
    });
    const seconds = (performance.now() - since) / 1000;
    if (options.junit !== undefined) writeReport(options.junit, results, run.targets, seconds);
    const failed = printSummary(output, results, run.targets, seconds);
    if (failed > 0) process.exitCode = EXIT.failed;
  } finally {
    // Also after a failure: either would keep the process from ending.
    for (const { sender } of run.targets) sender.close();
    if (reporter) await within(reporter.close(), 3000);
  }
}

export type Target = { url: URL; shown: string; sender: ReturnType<typeof openSender> };

function prepare({ output }: Session, ids: string[], filter: EventFilter, options: ReplayOptions) {
  const filtered = Object.keys(filter).length > 0;
  if (ids.length > 0 && filtered) throw usageError("Use event IDs or filters, not both.");
  if (ids.length === 0 && !filtered) throw usageError("Which events?", "Give event IDs, or filters such as --period 24h.");
  const concurrency = countOf(options.concurrency, "--concurrency");
  const timeoutMs = parseDuration(options.timeout);
  const urls = [...options.to, ...(options.also === undefined ? [] : [options.also])].map(targetUrl);
  if (urls.length > 2) throw usageError("Events can be sent to one URL, or to two whose responses are compared.");
  return {
    concurrency,
    limit: countOf(options.limit, "--limit"),
    rate: countOf(options.rate, "--rate"),
    ignored: ignoredPaths(options.ignore ?? []),
    signing: readSigning(options, output),
    targets: urls.map((url): Target => ({ url, shown: shownUrl(url), sender: openSender(url, { concurrency, timeoutMs }) })),
  };
}

type Run = ReturnType<typeof prepare> & { makeRequest: MakeRequest };

async function sendToAll(event: StoredWebhook, run: Run, reporter: Reporter | null): Promise<Result> {
  const at = new Date().toISOString();
  const answers = await Promise.all(run.targets.map(({ sender, url }) => sender.send(run.makeRequest(event, url))));
  for (const [index, { shown: url }] of run.targets.entries()) {
    const answer = answers[index];
    if (answer) reporter?.report({ eventId: event.id, command: "replay", listener: machineName(), url, at, ...answerReport(answer) });
  }
  const [first, second] = answers;
  const differences = first && second ? compareAnswers(first, second, run.ignored) : [];
  return { id: event.id, type: event.type, answers, differences };
}

/** Works through items in order, `concurrency` at a time and at most `rate` per second. */
async function inTurn<T>(items: T[], concurrency: number, rate: number, work: (item: T) => Promise<void>): Promise<void> {
  const since = performance.now();
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) {
      const wait = since + (at * 1000) / rate - performance.now();
      if (wait > 0) await sleep(wait);
      await work(items[at] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, lane));
}

function writeReport(file: string, results: Result[], targets: Target[], seconds: number): void {
  try {
    writeFileSync(
      file,
      junitXml(
        results,
        targets.map(({ shown }) => shown),
        seconds,
      ),
    );
  } catch (error) {
    throw new CliError(`${file} can't be written: ${(error as Error).message}`);
  }
}

type StoredWebhook = Webhook & { type: string };

/** Bodies are held in memory until they are sent, since the log returns the newest first. Bytes. */
const MAX_BYTES = 256 * 1_048_576;
/** Most characters of a line: an event of 64 MB takes up to six for each of its own as JSON. */
const MAX_LINE = 400 * 1_048_576;

async function readByIds(api: Api, ids: string[]): Promise<StoredWebhook[]> {
  const events: StoredWebhook[] = [];
  for (const id of ids) events.push(storedOf(await api.get<EventDetail>(`/api/v1/events/${encodeURIComponent(id)}`)));
  return events;
}

/** Returns the newest matching events, oldest first. */
async function readByFilter(api: Api, filter: EventFilter, limit: number): Promise<StoredWebhook[]> {
  const response = await api.open("/api/v1/events/export", { ...filter, format: "ndjson" }, {});
  const events: StoredWebhook[] = [];
  let bytes = 0;
  for await (const text of linesOf(response)) {
    const line = JSON.parse(text) as EventSummary & Webhook;
    bytes += line.bytes;
    if (bytes > MAX_BYTES)
      throw new CliError("These events are larger than 256 MB in total.", { hint: "Replay them in parts: --limit, --after and --before." });
    events.push(storedOf(line));
    if (events.length >= limit) break;
  }
  return events.reverse();
}

/** Yields the lines of a response; stopping early ends it. */
async function* linesOf({ body }: Response): AsyncGenerator<string> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > MAX_LINE) throw new CliError("The server's answer has a line that does not end.");
      yield* lines.filter((line) => line !== "");
      if (done) break;
    }
    if (rest !== "") yield rest;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

const storedOf = ({ id, type, source, receivedAt, headers, raw, rawBase64 }: Omit<StoredWebhook, "redeliveryId">): StoredWebhook => ({
  ...{ id, type, source, receivedAt, headers, raw, rawBase64 },
  redeliveryId: null,
});

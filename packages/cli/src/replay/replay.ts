import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { countWords } from "../../../../lib/contracts/counts/format-count.ts";
import type { EventFilter } from "../../../../lib/contracts/events/events.ts";
import type { Session } from "../commands/session.ts";
import type { ReplayOptions } from "../deliver/options.ts";
import { answerReport, machineName, openReporter, type Reporter } from "../deliver/report.ts";
import { openSender } from "../deliver/send.ts";
import { countOf, shownUrl, targetUrl } from "../deliver/target.ts";
import { requestMaker } from "../deliver/webhook.ts";
import { CliError, EXIT, usageError } from "../output/exit.ts";
import { goOnUnread } from "../output/reader.ts";
import { parseDuration, within } from "../output/time.ts";
import { compareAnswers, ignoredPaths } from "./compare.ts";
import { junitXml } from "./junit.ts";
import { printResult, printSummary } from "./print.ts";
import type { Result } from "./result.ts";
import { readByFilter, readByIds, type StoredWebhook } from "./stored-webhooks.ts";

export async function replay(session: Session, ids: string[], filter: EventFilter, options: ReplayOptions): Promise<void> {
  const { output } = session;
  const run = prepare(session, ids, filter, options);
  const api = session.api();
  const events = ids.length > 0 ? await readByIds(api, ids) : await readByFilter(api, filter, run.limit);
  if (events.length === 0) throw new CliError("No event matches.");
  output.note(`Sending ${countWords(events.length, "event")} to ${run.targets.map(({ shown }) => shown).join(" and ")}.`);
  goOnUnread(); // `| head` has seen enough: the rest is sent, reported and counted all the same
  const reporter = options.report ? openReporter(api, output) : null;
  const results: Result[] = [];
  const since = performance.now();
  try {
    await inTurn(events, run.concurrency, run.rate, async (event) => {
      const result = await sendToAll(event, run, reporter);
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

export type Target = { shown: string; sender: ReturnType<typeof openSender> };

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
    makeRequest: requestMaker(options, output),
    targets: urls.map((url): Target => ({ shown: shownUrl(url), sender: openSender(url, { concurrency, timeoutMs }) })),
  };
}

async function sendToAll(event: StoredWebhook, run: ReturnType<typeof prepare>, reporter: Reporter | null): Promise<Result> {
  const request = run.makeRequest(event);
  const at = new Date().toISOString();
  const answers = await Promise.all(run.targets.map(({ sender }) => sender.send(request)));
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

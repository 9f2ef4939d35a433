import { setTimeout as sleep } from "node:timers/promises";
import { printable } from "../../../../lib/contracts/api/plain-text.ts";
import type { ListenedEvent } from "../../../../lib/contracts/events/listeners.ts";
import { answerReport, machineName, type Reporter } from "../deliver/report.ts";
import type { Sender, Sent } from "../deliver/send.ts";
import type { MakeRequest } from "../deliver/webhook.ts";
import type { Color, Paint } from "../output/color.ts";
import type { Output } from "../output/output.ts";
import { durationWords, localTime } from "../output/time.ts";

export type Handing = {
  sender: Sender;
  reporter: Reporter;
  makeRequest: MakeRequest;
  output: Output;
  url: string;
  listener: string | undefined;
  signal: AbortSignal;
};

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5000;

/**
 * Sends one event to the local app; while it can't be reached the event waits. A connection that broke twice counts as delivered: the app
 * may have seen it. @returns false if stopped before the app had it
 */
export async function handOver(event: ListenedEvent, handing: Handing): Promise<boolean> {
  const request = handing.makeRequest(event);
  let pause = FIRST_PAUSE_MS;
  for (let broken = 0; ; ) {
    const sent = await handing.sender.send(request);
    // Once stopped, we may have ended the connection ourselves. The next run sends it again.
    if (sent.outcome === "broken" && handing.signal.aborted) return false;
    const seen = sent.outcome === "answered" || (sent.outcome === "broken" && ++broken >= 2);
    waitingFor(handing, sent);
    if (seen) {
      tell(event, sent, handing);
      return true;
    }
    await sleep(pause, undefined, { signal: handing.signal }).catch(() => {});
    if (handing.signal.aborted) return false;
    pause = Math.min(MAX_PAUSE_MS, pause * 2);
  }
}

const waiting = new WeakSet<Sender>();

/** Warns once when the app goes away, and once when it is back. */
function waitingFor({ sender, output, url }: Handing, sent: Sent): void {
  if (sent.outcome === "refused" && !waiting.has(sender)) {
    waiting.add(sender);
    output.warn(`${url} can't be reached: ${sent.error}. Events wait until it responds.`);
  }
  if (sent.outcome === "answered" && waiting.delete(sender)) output.note(`${url} is back.`);
}

function tell(event: ListenedEvent, sent: Sent, { output, reporter, url, listener }: Handing): void {
  const report = answerReport(sent);
  const { id, redeliveryId } = event;
  const at = new Date().toISOString();
  reporter.report({ eventId: id, command: "listen", listener: listener ?? machineName(), url, redeliveryId, at, ...report });
  const { status, error, durationMs } = report;
  const { type, source, receivedAt } = event;
  output.item({ id, type, source, receivedAt, redeliveryId, at, status, error, durationMs }, (paint) => line(event, sent, paint), id);
}

function line({ id, type, redeliveryId }: ListenedEvent, sent: Sent, paint: Paint): string {
  const answer = sent.outcome === "answered" ? String(sent.status) : printable(sent.error);
  const color: Color = sent.outcome !== "answered" || sent.status >= 500 ? "red" : sent.status >= 400 ? "yellow" : "green";
  const again = redeliveryId ? paint("dim", " (re-delivery)") : "";
  const time = paint("dim", localTime(new Date().toISOString()).slice(11));
  return `${time}  ${printable(type.padEnd(30))}  ${printable(id)}${again}  ${paint(color, answer)} ${paint("dim", durationWords(sent.durationMs))}`;
}

import { setTimeout as sleep } from "node:timers/promises";
import { printable } from "../../../lib/contracts/api/plain-text.ts";
import type { ListenedEvent } from "../../../lib/contracts/events/listeners.ts";
import { answerReport, machineName, type Reporter, type Sender, type Sent } from "./deliver.ts";
import type { MakeRequest } from "./requests.ts";
import type { Color, Output, Paint } from "./terminal.ts";
import { durationWords, localTime } from "./time.ts";

export type Handing = {
  sender: Sender;
  reporter: Reporter;
  makeRequest: MakeRequest;
  output: Output;
  target: URL;
  /** Target as it is shown. */
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
  let pause = FIRST_PAUSE_MS;
  for (let broken = 0; ; ) {
    // Made anew: a signature has the time of its try.
    const sent = await handing.sender.send(handing.makeRequest(event, handing.target));
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

/** Work in progress, in order of arrival. The cursor moves only up to where everything is done. */
export class Window {
  private readonly entries: { cursor: string; done: boolean }[] = [];
  private readonly size: number;
  private readonly onCursor: (cursor: string) => void;
  private readonly stop: AbortSignal;
  private underWay = 0;
  private wake = () => {};

  constructor(size: number, onCursor: (cursor: string) => void, stop: AbortSignal) {
    this.size = size;
    this.onCursor = onCursor;
    this.stop = stop;
    stop.addEventListener("abort", () => this.wake(), { once: true });
  }

  /** Adds a place without work, as after events that don't match. */
  pass(cursor: string): void {
    this.entries.push({ cursor, done: true });
    this.advance();
  }

  /** Starts work once there is room. Resolves when it has started, or never will: the cursor then stays before it. */
  async start(cursor: string, work: () => Promise<boolean>): Promise<void> {
    const entry = { cursor, done: false };
    this.entries.push(entry);
    while (this.underWay >= this.size && !this.stop.aborted) await this.change();
    if (this.stop.aborted) return;
    this.underWay++;
    void work().then((done) => {
      entry.done = done;
      this.underWay--;
      this.advance();
      this.wake();
    });
  }

  async idle(): Promise<void> {
    while (this.underWay > 0) await this.change();
  }

  private change(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private advance(): void {
    let last: string | null = null;
    while (this.entries[0]?.done) last = this.entries.shift()?.cursor ?? last;
    if (last !== null) this.onCursor(last);
  }
}

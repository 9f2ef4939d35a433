import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import { type SoakRequest, signedHeadersOf, type Traffic } from "./traffic.ts";

const TICK_MS = 50;
const CONNECTIONS = 48;
/** The platform's own retry: what was not acknowledged comes again after this long. */
const RETRY_MS = 1500;
/** Number that may wait during an outage; beyond that nothing new is made, as a platform would slow down. */
const MAX_WAITING = 20_000;

/** Webhooks acknowledged with a 2xx, by key: the SHA-256 of the body, and the body's length. */
export type Acknowledged = Map<string, string>;

/** Sends traffic at a steady rate and repeats what was not acknowledged, like the platform. */
export class Sender {
  readonly events: Acknowledged = new Map();
  readonly quarantined: Acknowledged = new Map();
  /** Answers by status; `none` where the connection broke or timed out. */
  readonly answers: Record<string, number> = {};
  /** Requests that got another final answer than they must. */
  readonly unexpected: string[] = [];
  /** Called with the milliseconds that each acknowledgement of an event took. */
  onAcknowledged: (ms: number, request: SoakRequest) => void = () => undefined;
  /** The longest time without an acknowledgement, milliseconds. */
  longestGapMs = 0;
  private lastAcknowledgedAt = Date.now();
  private readonly agent = new Agent({ connections: CONNECTIONS, headersTimeout: 20_000, bodyTimeout: 20_000 });
  private readonly queue: SoakRequest[] = [];
  private inFlight = 0;
  private over = false;
  private readonly origin: string;
  private readonly secret: () => string;

  constructor(origin: string, secret: () => string) {
    this.origin = origin;
    this.secret = secret;
  }

  /** Requests that wait to be sent or are on their way. */
  get waiting(): number {
    return this.queue.length + this.inFlight;
  }

  /** Sends for so long, then until everything is through. */
  async run(traffic: Traffic, perSecond: number, milliseconds: number): Promise<void> {
    const senders = Array.from({ length: CONNECTIONS }, () => this.work());
    const began = Date.now();
    for (let made = 0; Date.now() - began < milliseconds; await sleep(TICK_MS)) {
      const due = Math.floor(((Date.now() - began) / 1000) * perSecond) - made;
      made += due;
      for (let count = 0; count < due && this.waiting < MAX_WAITING; count += 1) this.queue.push(traffic.next());
    }
    while (this.waiting > 0) await sleep(TICK_MS);
    this.over = true;
    await Promise.all(senders);
    await this.agent.destroy();
  }

  private async work(): Promise<void> {
    while (!this.over) {
      const request = this.queue.shift();
      if (!request) await sleep(TICK_MS);
      else await this.send(request);
    }
  }

  private async send(request: SoakRequest): Promise<void> {
    this.inFlight += 1;
    const since = performance.now();
    const status = await this.post(request);
    if (status === 200) this.onAcknowledged(performance.now() - since, request);
    this.answers[status] = (this.answers[status] ?? 0) + 1;
    if (this.settles(request, status)) this.inFlight -= 1;
    else void this.sendLater(request);
  }

  private async sendLater(request: SoakRequest): Promise<void> {
    await sleep(RETRY_MS);
    this.queue.push(request);
    this.inFlight -= 1;
  }

  /** Files the answer. @returns false when the request is to be sent again */
  private settles(request: SoakRequest, status: number | "none"): boolean {
    const acknowledged = status === 200 || status === 202;
    if (acknowledged) this.noteAcknowledged();
    if (request.expected === "rejected" || request.expected === "unknown_source") {
      if (acknowledged) this.unexpected.push(`${request.key}: ${status}`);
      return true;
    }
    if (!acknowledged) {
      // A platform would give up on these; here each is a fault to be looked at.
      if (typeof status === "number" && status < 500 && status !== 429 && status !== 408) {
        this.unexpected.push(`${request.key}: ${status}`);
        return true;
      }
      return false;
    }
    if ((status === 200) !== (request.expected === "event")) this.unexpected.push(`${request.key}: ${status}`);
    (status === 200 ? this.events : this.quarantined).set(request.key, createHash("sha256").update(request.body).digest("hex"));
    return true;
  }

  private noteAcknowledged(): void {
    this.longestGapMs = Math.max(this.longestGapMs, Date.now() - this.lastAcknowledgedAt);
    this.lastAcknowledgedAt = Date.now();
  }

  private async post(request: SoakRequest): Promise<number | "none"> {
    try {
      const { statusCode, body } = await this.agent.request({
        origin: this.origin,
        path: request.path,
        method: "POST",
        headers: { "content-type": "application/json", ...signedHeadersOf(request, this.secret()) },
        body: request.body,
      });
      await body.dump();
      return statusCode;
    } catch {
      return "none";
    }
  }
}

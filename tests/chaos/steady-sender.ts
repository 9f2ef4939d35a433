import { setTimeout as sleep } from "node:timers/promises";
import { makeWebhooks, sendAll, type Webhook } from "./driver.ts";

const CHUNK_MS = 250;
/** More than any run sends. */
const MAX_SENT = 200_000;

/** Sends webhooks at a rate, in turn to each URL, until it is ended; what was not acknowledged is sent again, to whom it falls. */
export class SteadySender {
  readonly sent: Webhook[] = [];
  /** Number of 2xx answers to each event. */
  readonly acknowledged = new Acknowledged();
  /** Number of times a webhook was not acknowledged, and was sent again. */
  missed = 0;
  private over = false;
  private readonly sending: Promise<void>;

  /** @param load rate in webhooks a second */
  constructor(urls: string[], load: { rate: number; seed: number; secret: string }) {
    this.sending = this.send(urls, load);
  }

  private async send(urls: string[], { rate, seed, secret }: { rate: number; seed: number; secret: string }): Promise<void> {
    const all = makeWebhooks(MAX_SENT, seed, secret);
    let left: Webhook[] = [];
    for (let turn = 0; !this.over || left.length > 0; turn += 1) {
      const since = performance.now();
      const fresh = this.over ? [] : all.splice(0, Math.ceil((rate * CHUNK_MS) / 1000));
      this.sent.push(...fresh);
      left = await sendAll(urls[turn % urls.length] ?? "", [...left, ...fresh], this.acknowledged, () => false);
      this.missed += left.length;
      await sleep(Math.max(0, CHUNK_MS - (performance.now() - since)));
    }
  }

  /** Sends no new ones, and returns when all were acknowledged. */
  async end(): Promise<void> {
    this.over = true;
    await this.sending;
  }
}

/** Remembers when each event was first answered 2xx: milliseconds since 1970. */
class Acknowledged extends Map<string, number> {
  readonly firstAt = new Map<string, number>();

  override set(eventId: string, times: number): this {
    if (!this.has(eventId)) this.firstAt.set(eventId, Date.now());
    return super.set(eventId, times);
  }
}

import { Agent } from "undici";

const PAUSE_MS = 500;

/**
 * A browser's EventSource without the browser: watches the feed, and when the
 * stream ends goes on at the next address from the last id that it saw.
 */
export class FeedWatcher {
  /** Number of times each event was shown, by its id. */
  readonly seen = new Map<string, number>();
  /** Number of times the stream ended and was resumed. */
  resumed = 0;
  private lastId: string | undefined;
  private readonly ending = new AbortController();
  private readonly agent = new Agent({ connections: 1, bodyTimeout: 0 });
  private readonly addresses: string[];
  private readonly apiKey: string;
  private running: Promise<void> | undefined;

  /** @param addresses the first is where it begins */
  constructor(addresses: string[], apiKey: string) {
    this.addresses = addresses;
    this.apiKey = apiKey;
  }

  /** Resolves when the feed says that it is ready. */
  open(): Promise<void> {
    return new Promise((resolve) => {
      this.running = this.run(resolve);
    });
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.running;
    await this.agent.destroy();
  }

  private async run(ready: () => void): Promise<void> {
    for (let turn = 0; !this.ending.signal.aborted; turn += 1) {
      await this.watch(this.addresses[turn % this.addresses.length] ?? "", ready).catch(() => undefined);
      this.resumed += 1;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  private async watch(origin: string, ready: () => void): Promise<void> {
    const { statusCode, body } = await this.agent.request({
      origin,
      path: "/api/v1/feed",
      method: "GET",
      headers: { authorization: `Bearer ${this.apiKey}`, ...(this.lastId ? { "last-event-id": this.lastId } : {}) },
      signal: this.ending.signal,
    });
    if (statusCode !== 200) {
      await body.dump();
      return;
    }
    let text = "";
    for await (const chunk of body) {
      text += String(chunk);
      const frames = text.split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) this.take(frame, ready);
    }
  }

  private take(frame: string, ready: () => void): void {
    if (frame.includes("event: ready")) ready();
    const [, id] = /^id: (.+)$/m.exec(frame) ?? [];
    const [, data] = /^data: (.+)$/m.exec(frame) ?? [];
    if (!id || !data) return;
    this.lastId = id;
    const event = (JSON.parse(data) as { id: string }).id;
    this.seen.set(event, (this.seen.get(event) ?? 0) + 1);
  }
}

import { consume, perMinute } from "./per-minute.ts";

/** Certificates a minute, process and source; a sender needs one in months. */
const A_MINUTE = 6;

/** Fetches that the receiver requests of workers. Certificates are bounded: a stranger can make up messages that name others. */
export class SenderFetches<Fetch extends { sourceId: string; kind: string } = never> {
  private readonly asked = perMinute(A_MINUTE);
  private readonly insert: (fetch: Fetch) => Promise<boolean>;

  constructor(insert: (fetch: Fetch) => Promise<boolean>) {
    this.insert = insert;
  }

  async ask(fetch: Fetch): Promise<boolean> {
    if (fetch.kind === "certificate" && (await consume(this.asked, fetch.sourceId)) !== null) return false;
    return this.insert(fetch);
  }
}

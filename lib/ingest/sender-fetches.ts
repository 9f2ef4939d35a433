import { consume, perMinute } from "./per-minute.ts";

/** Certificates that are asked for a minute, process and source; a sender needs one in months. */
const A_MINUTE = 6;

/** Fetches that the receiver requests of workers. Certificates within a bound: a stranger can make up messages that name others. */
export class SenderFetches<Fetch extends { sourceId: string; kind: string } = never> {
  private readonly asked = perMinute(A_MINUTE);
  private readonly insert: (fetch: Fetch) => Promise<boolean>;

  constructor(insert: (fetch: Fetch) => Promise<boolean>) {
    this.insert = insert;
  }

  /** Writes it down, and no certificate beyond the bound. @returns whether it is written down @throws whatever the database failed with */
  async ask(fetch: Fetch): Promise<boolean> {
    if (fetch.kind === "certificate" && (await consume(this.asked, fetch.sourceId)) !== null) return false;
    return this.insert(fetch);
  }
}

import { networkOf } from "#lib/http/ip-address";
import { ipBucket } from "#lib/http/ip-prefix";
import { consume, type PerMinute, perMinute, waitOf } from "./per-minute.ts";

/** A body of at most so many bytes costs a few milliseconds to read, whatever is in it. */
export const SMALL_BODY_BYTES = 65_536;

/**
 * Milliseconds a minute and process spent on bodies that match in no form.
 * Large bodies of senders that never verified here: by address, source and in
 * all. Small ones have so much that only a flood of costly ones reaches it.
 */
export const LARGE_MS_PER_IP = 2000;
const LARGE_MS_PER_SOURCE = 6000;
const LARGE_MS = 10_000;
const SMALL_MS_PER_IP = 10_000;
const SMALL_MS = 20_000;
/** For each address that the source's events came from before, beside what unknown addresses have. */
const VERIFIED_LARGE_MS = 6000;
const VERIFIED_SMALL_MS = 10_000;

/** An address gets in by a new event; beyond this the one that sent its last longest ago leaves. */
const VERIFIED_ADDRESSES = 10_000;

const ALL = "all";

/** Counted in microseconds: many short readings add up, too. */
const perMinuteMs = (ms: number) => perMinute(ms * 1000);

/** A body to be read: its source, its sender's address, its length. */
export type ReserializeRequest = { sourceId: string; remoteAddress: string | null; bytes: number };

/** The counters that a request is held against, with its key in each. */
type Counters = (readonly [limiter: PerMinute, key: string])[];

/**
 * Bounds the time that is spent on reading bodies whose raw bytes did not
 * verify and writing them again: it costs what their sender wants it to cost.
 * Only what was spent in vain counts. An address that sent an event before has a
 * budget of its own that unknown senders can't spend, neither with large bodies nor
 * by sharing a counter: it is known exactly, not by its bucket.
 */
export class ReserializeBudget {
  private readonly largeByIp = perMinuteMs(LARGE_MS_PER_IP);
  private readonly largeBySource = perMinuteMs(LARGE_MS_PER_SOURCE);
  private readonly large = perMinuteMs(LARGE_MS);
  private readonly smallByIp = perMinuteMs(SMALL_MS_PER_IP);
  private readonly small = perMinuteMs(SMALL_MS);
  private readonly verifiedLarge = perMinuteMs(VERIFIED_LARGE_MS);
  private readonly verifiedSmall = perMinuteMs(VERIFIED_SMALL_MS);
  /** In the order in which they verified last. */
  private readonly verified = new Set<string>();
  private verifiedLast: string | null = null;
  private readonly clock: () => number;

  /** @param clock milliseconds, with fractions */
  constructor(clock: () => number) {
    this.clock = clock;
  }

  /**
   * A new event was stored whose bytes were signed as they came. Whoever has a copy of a webhook can send it again, or other bytes of the same
   * JSON: that is no reason to trust an address. An unknown address can't be distinguished from an attacker's.
   */
  noteVerified({ sourceId, remoteAddress }: Omit<ReserializeRequest, "bytes">): void {
    if (remoteAddress === null) return;
    const sender = senderOf(sourceId, remoteAddress);
    if (sender === this.verifiedLast) return;
    this.verifiedLast = sender;
    this.verified.delete(sender);
    this.verified.add(sender);
    if (this.verified.size <= VERIFIED_ADDRESSES) return;
    for (const oldest of this.verified) {
      this.verified.delete(oldest);
      return;
    }
  }

  /**
   * Reads a body a second time, within the budget.
   *
   * @param read returns whether it was in vain; only then its time counts
   * @returns its result, or the seconds to wait when no time is left
   */
  async spend<T>(
    request: ReserializeRequest,
    read: () => { result: T; inVain: boolean },
  ): Promise<{ result: T } | { retryAfterSeconds: number }> {
    const counters = this.countersOf(request);
    for (const [limiter, key] of counters) {
      const wait = await waitOf(limiter, key);
      if (wait !== null) return { retryAfterSeconds: wait };
    }
    const started = this.clock();
    const { result, inVain } = read();
    const spentMicroseconds = Math.ceil((this.clock() - started) * 1000);
    if (inVain) for (const [limiter, key] of counters) await consume(limiter, key, spentMicroseconds);
    return { result };
  }

  private countersOf({ sourceId, remoteAddress, bytes }: ReserializeRequest): Counters {
    const isSmall = bytes <= SMALL_BODY_BYTES;
    const sender = remoteAddress === null ? null : senderOf(sourceId, remoteAddress);
    if (sender !== null && this.verified.has(sender)) return [[isSmall ? this.verifiedSmall : this.verifiedLarge, sender]];
    const address = ipBucket(remoteAddress);
    if (isSmall)
      return [
        [this.smallByIp, address],
        [this.small, ALL],
      ];
    return [
      [this.largeByIp, address],
      [this.largeBySource, sourceId],
      [this.large, ALL],
    ];
  }
}

const senderOf = (sourceId: string, remoteAddress: string) => `${sourceId} ${networkOf(remoteAddress)}`;

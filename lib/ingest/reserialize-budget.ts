import { networkOf } from "#lib/http/ip-address";
import { ipBucket } from "#lib/http/ip-prefix";
import { consume, type PerMinute, perMinute, waitOf } from "./per-minute.ts";

/** A body up to this size costs a few milliseconds to read, whatever its content. */
export const SMALL_BODY_BYTES = 65_536;

/** Milliseconds a minute and process spent on bodies that match in no form. Only a flood reaches the limits for small bodies. */
export const LARGE_MS_PER_IP = 2000;
const LARGE_MS_PER_SOURCE = 6000;
const LARGE_MS = 10_000;
const SMALL_MS_PER_IP = 10_000;
const SMALL_MS = 20_000;
/** For each address from which the source got events before. */
const VERIFIED_LARGE_MS = 6000;
const VERIFIED_SMALL_MS = 10_000;

/** A new event adds its address; beyond this number the one that verified longest ago leaves. */
const VERIFIED_ADDRESSES = 10_000;

const ALL = "all";

/** Counted in microseconds: many short readings add up, too. */
const perMinuteMs = (ms: number) => perMinute(ms * 1000);

export type ReserializeRequest = { sourceId: string; remoteAddress: string | null; bytes: number };

type Counters = (readonly [limiter: PerMinute, key: string])[];

/** Bounds the time for verifying bodies by writing them again, which an attacker can make costly. Only failures count. */
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

  constructor(clock: () => number) {
    this.clock = clock;
  }

  /** For new events signed as they came. A repeated webhook proves nothing: anyone with a copy of it can send it again. */
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

  /** Reads within the budget, or returns the seconds to wait when no time is left. Only the time of a read in vain counts. */
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

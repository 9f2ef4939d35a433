import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ipBucket, networkOf } from "#lib/http/request-head";

/** Treatment of a rejected request: kept and answered, only answered, or answered 429. */
export type RejectionVerdict = { keep: boolean; retryAfterSeconds: number | null };

/** Rejections a minute that an IP address, and all of a source together, may cause before 429. */
export const REJECTIONS_PER_IP = 600;
const REJECTIONS_PER_SOURCE = 6000;

/** Requests a minute for names that no source has, of an IP address and of all together, before 429. */
export const UNKNOWN_NAMES_PER_IP = 600;
export const UNKNOWN_NAMES = 6000;

/** Most requests kept a minute, so that a flood writes bounded rows and bytes, and one address can't fill its source's share. */
export const KEPT_PER_SOURCE = 300;
export const KEPT_PER_IP = 200;
export const KEPT_KIB_PER_SOURCE = 4096;

const ALL = "all";

/** Counts rejected requests in memory, before any write. Verified ones, except conflicts, don't count: nobody can lock the platform out. */
export class RejectionLimiter {
  private readonly byIp = perMinute(REJECTIONS_PER_IP);
  private readonly bySource = perMinute(REJECTIONS_PER_SOURCE);
  private readonly unknownByIp = perMinute(UNKNOWN_NAMES_PER_IP);
  private readonly unknown = perMinute(UNKNOWN_NAMES);
  private readonly keptByIp = perMinute(KEPT_PER_IP);
  private readonly keptBySource = perMinute(KEPT_PER_SOURCE);
  private readonly keptKibBySource = perMinute(KEPT_KIB_PER_SOURCE);

  /** @param bytes null for one that is never kept: it takes nothing of the share of those that are */
  async check(sourceId: string, remoteAddress: string | null, bytes: number | null): Promise<RejectionVerdict> {
    const address = ipBucket(remoteAddress);
    const wait = (await consume(this.byIp, address)) ?? (await consume(this.bySource, sourceId));
    if (wait !== null) return { keep: false, retryAfterSeconds: wait };
    const keep =
      bytes !== null &&
      (await consume(this.keptByIp, `${sourceId} ${address}`)) === null &&
      (await consume(this.keptBySource, sourceId)) === null &&
      (await consume(this.keptKibBySource, sourceId, Math.ceil(bytes / 1024))) === null;
    return { keep, retryAfterSeconds: null };
  }

  /** Returns null when an unknown name may be looked up, else the seconds to wait. */
  async unknownNameWait(remoteAddress: string | null): Promise<number | null> {
    return (await waitOf(this.unknownByIp, ipBucket(remoteAddress))) ?? (await waitOf(this.unknown, ALL));
  }

  /** Counts an unknown name. Returns the seconds to wait beyond the limit: many may have been looked up together. */
  async countUnknownName(remoteAddress: string | null): Promise<number | null> {
    return (await consume(this.unknownByIp, ipBucket(remoteAddress))) ?? (await consume(this.unknown, ALL));
  }
}

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

/** Counted in microseconds: many short readings add up, too. */
const perMinuteMs = (ms: number) => perMinute(ms * 1000);

type ReserializeRequest = { sourceId: string; remoteAddress: string | null; bytes: number };

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

  /** For new events that were signed as they came, or as they decode. A repeated webhook proves nothing: anyone with a copy of it can send it again. */
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

type PerMinute = RateLimiterMemory;

const perMinute = (points: number): PerMinute => new RateLimiterMemory({ points, duration: 60 });

/** Returns null while within the limit, else the seconds to wait. */
async function waitOf(limiter: PerMinute, key: string): Promise<number | null> {
  const spent = await limiter.get(key);
  return spent && spent.remainingPoints <= 0 ? Math.max(1, Math.ceil(spent.msBeforeNext / 1000)) : null;
}

/** Counts. Returns null when within the limit, else the seconds to wait. */
async function consume(limiter: PerMinute, key: string, points = 1): Promise<number | null> {
  try {
    await limiter.consume(key, points);
    return null;
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    throw error;
  }
}

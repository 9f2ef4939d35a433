import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { addressBucket } from "./address-bucket.ts";

/** What happens to a refused request: kept and answered, answered alone, or answered 429. */
export type RefusalVerdict = { keep: boolean; retryAfterSeconds: number | null };

/** Refusals a minute that an address, and all of a source together, may cause before they are told to slow down. */
export const REFUSALS_PER_ADDRESS = 600;
const REFUSALS_PER_SOURCE = 6000;

/**
 * What is kept a minute: a flood of unsigned requests writes a bounded number
 * of rows and bytes, and one address alone can't fill its source's share.
 */
export const KEPT_PER_SOURCE = 300;
export const KEPT_PER_ADDRESS = 200;
export const KEPT_KIB_PER_SOURCE = 4096;

/**
 * Milliseconds a minute spent on reading bodies whose raw bytes did not verify,
 * in vain: nobody without a secret keeps this process busy with costly JSON.
 */
export const SECOND_LOOK_MS_PER_ADDRESS = 2000;
const SECOND_LOOK_MS_PER_SOURCE = 6000;

const perMinute = (points: number) => new RateLimiterMemory({ points, duration: 60 });

/**
 * Counts refused requests in memory, by address and by source, before anything
 * is written. Requests that verify are never counted: nobody can lock the
 * platform out by sending rubbish from its address or to its source. Memory is
 * bounded: addresses share a fixed number of counters.
 */
export class RefusalLimits {
  private readonly byAddress = perMinute(REFUSALS_PER_ADDRESS);
  private readonly bySource = perMinute(REFUSALS_PER_SOURCE);
  private readonly keptByAddress = perMinute(KEPT_PER_ADDRESS);
  private readonly keptBySource = perMinute(KEPT_PER_SOURCE);
  private readonly keptKibBySource = perMinute(KEPT_KIB_PER_SOURCE);
  private readonly lookedByAddress = perMinute(SECOND_LOOK_MS_PER_ADDRESS);
  private readonly lookedBySource = perMinute(SECOND_LOOK_MS_PER_SOURCE);

  /** @param bytes what would be kept of the request */
  async judge(sourceId: string, remoteAddress: string | null, bytes: number): Promise<RefusalVerdict> {
    const address = addressBucket(remoteAddress);
    const wait = (await consume(this.byAddress, address)) ?? (await consume(this.bySource, sourceId));
    if (wait !== null) return { keep: false, retryAfterSeconds: wait };
    const keep =
      (await consume(this.keptByAddress, `${sourceId} ${address}`)) === null &&
      (await consume(this.keptBySource, sourceId)) === null &&
      (await consume(this.keptKibBySource, sourceId, Math.ceil(bytes / 1024))) === null;
    return { keep, retryAfterSeconds: null };
  }

  /**
   * A second look at a body that costs what its sender wants it to cost.
   *
   * @param look returns whether it was in vain; only then its time counts
   * @returns its result, or the seconds to wait when no time is left
   */
  async secondLook<T>(
    sourceId: string,
    remoteAddress: string | null,
    look: () => { result: T; inVain: boolean },
  ): Promise<{ result: T } | { retryAfterSeconds: number }> {
    const address = addressBucket(remoteAddress);
    const wait = (await waitOf(this.lookedByAddress, address)) ?? (await waitOf(this.lookedBySource, sourceId));
    if (wait !== null) return { retryAfterSeconds: wait };
    const started = performance.now();
    const { result, inVain } = look();
    const spent = Math.floor(performance.now() - started);
    if (inVain && spent > 0) {
      await consume(this.lookedByAddress, address, spent);
      await consume(this.lookedBySource, sourceId, spent);
    }
    return { result };
  }
}

/** @returns null while there is room, else the seconds to wait */
async function waitOf(limiter: RateLimiterMemory, key: string): Promise<number | null> {
  const spent = await limiter.get(key);
  return spent && spent.remainingPoints <= 0 ? Math.max(1, Math.ceil(spent.msBeforeNext / 1000)) : null;
}

/** @returns null when there was room, else the seconds to wait */
async function consume(limiter: RateLimiterMemory, key: string, points = 1): Promise<number | null> {
  try {
    await limiter.consume(key, points);
    return null;
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw refused;
  }
}

import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** What happens to a refused request: kept and answered, answered alone, or answered 429. */
export type RefusalVerdict = { keep: boolean; retryAfterSeconds: number | null };

/** Refusals an address may cause a minute before it is told to slow down. */
export const REFUSALS_PER_ADDRESS = 600;
/** Refusals a source keeps a minute: a flood of unsigned requests writes a bounded number of rows. */
export const KEPT_PER_SOURCE = 300;

/**
 * Counts refused requests in memory, by address and by source. Requests that
 * verify are never counted: nobody can lock the platform out by sending
 * rubbish from its address.
 */
export class RefusalLimits {
  private readonly byAddress = new RateLimiterMemory({ points: REFUSALS_PER_ADDRESS, duration: 60 });
  private readonly bySource = new RateLimiterMemory({ points: KEPT_PER_SOURCE, duration: 60 });

  async judge(sourceId: string, remoteAddress: string | null): Promise<RefusalVerdict> {
    const address = await consume(this.byAddress, remoteAddress ?? "unknown");
    if (address !== null) return { keep: false, retryAfterSeconds: address };
    return { keep: (await consume(this.bySource, sourceId)) === null, retryAfterSeconds: null };
  }
}

/** @returns null when there was room, else the seconds to wait */
async function consume(limiter: RateLimiterMemory, key: string): Promise<number | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw refused;
  }
}

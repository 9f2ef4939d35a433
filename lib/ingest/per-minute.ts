import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

export type PerMinute = RateLimiterMemory;

export const perMinute = (points: number): PerMinute => new RateLimiterMemory({ points, duration: 60 });

/** Returns null while within the limit, else the seconds to wait. */
export async function waitOf(limiter: PerMinute, key: string): Promise<number | null> {
  const spent = await limiter.get(key);
  return spent && spent.remainingPoints <= 0 ? Math.max(1, Math.ceil(spent.msBeforeNext / 1000)) : null;
}

/** Counts. Returns null when within the limit, else the seconds to wait. */
export async function consume(limiter: PerMinute, key: string, points = 1): Promise<number | null> {
  try {
    await limiter.consume(key, points);
    return null;
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    throw error;
  }
}

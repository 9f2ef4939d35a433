const RENEW_AFTER = 0.8;
const SPREAD = 0.1;
const EARLIEST = 0.5;
const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 5 * 60_000;

/** Interval at which a worker checks for due renewals. */
export const REFRESH_ROUND_MS = 1000;

/** Most time between the renewal's due time and the stored result: a round, a token request (10 s), and its writes. */
const LEAD_MS = REFRESH_ROUND_MS + 10_000 + 4000;

/**
 * Returns when to look at a grant next: after 70 to 80% of its lifetime, so that what
 * was connected together is not renewed together. A short one is renewed
 * earlier, 15 seconds before its end, but not before half of its lifetime.
 * Null when there is nothing to do then: no refresh token and no known end.
 *
 * @param chance 0 to 1, drawn for every grant
 */
export function renewalTime(
  grant: { expiresAt: Date; expiryKnown: boolean; hasRefreshToken: boolean },
  now: Date,
  chance: number,
): Date | null {
  if (!grant.hasRefreshToken && !grant.expiryKnown) return null;
  const life = grant.expiresAt.getTime() - now.getTime();
  const after = Math.min(life * (RENEW_AFTER - SPREAD * chance), life - LEAD_MS);
  return new Date(now.getTime() + Math.max(after, life * EARLIEST));
}

/**
 * Returns how long to wait before the next try, in milliseconds: as long as it has
 * failed already, so the waits double, from 5 seconds to 5 minutes; and as long
 * as the platform asked to, where that is longer.
 *
 * @param failingMs how long the present trouble has lasted
 * @param askedMs what the platform asked for; 0 when it asked for nothing
 */
export function refreshWait(failingMs: number, askedMs: number): number {
  return Math.max(Math.min(Math.max(failingMs, FIRST_WAIT_MS), MAX_WAIT_MS), askedMs);
}

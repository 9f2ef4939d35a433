const RENEW_AFTER = 0.8;
const SPREAD = 0.1;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 5 * 60_000;

/**
 * When to look at a grant next: after 70 to 80% of its lifetime, so that what
 * was connected together is not renewed together. Null when there is nothing
 * to do then: no refresh token and no known end.
 *
 * @param chance 0 to 1, drawn anew for every grant
 */
export function renewalTime(
  grant: { expiresAt: Date; expiryKnown: boolean; hasRefreshToken: boolean },
  now: Date,
  chance: number,
): Date | null {
  if (!grant.hasRefreshToken && !grant.expiryKnown) return null;
  return new Date(now.getTime() + (grant.expiresAt.getTime() - now.getTime()) * (RENEW_AFTER - SPREAD * chance));
}

/**
 * When to try again: it waits as long as it has failed already, so the waits
 * double, from 5 seconds to 5 minutes.
 *
 * @param failingSince when the present trouble began
 */
export function retryTime(failingSince: Date, now: Date): Date {
  const wait = Math.min(Math.max(now.getTime() - failingSince.getTime(), FIRST_WAIT_MS), LONGEST_WAIT_MS);
  return new Date(now.getTime() + wait);
}

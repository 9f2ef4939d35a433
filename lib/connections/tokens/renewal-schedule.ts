const RENEW_AFTER = 0.8;
const SPREAD = 0.1;
const EARLIEST = 0.5;
const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 5 * 60_000;

export const REFRESH_ROUND_MS = 1000;

/** A round, a token request (10 s) and its writes. */
const LEAD_MS = REFRESH_ROUND_MS + 10_000 + 4000;

/** Returns when 70 to 80% of the lifetime is over (`chance` spreads renewals), 15 s before the end, but after half; null: nothing to do. */
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

/** Returns ms to wait: as long as it has failed already, so that waits double from 5 s to 5 min, or as long as the platform asked. */
export function refreshWait(failingMs: number, askedMs: number): number {
  return Math.max(Math.min(Math.max(failingMs, FIRST_WAIT_MS), MAX_WAIT_MS), askedMs);
}

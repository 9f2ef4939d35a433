const DAY_MS = 86_400_000;

/** The first of a month, UTC, so many months before this one. */
export function monthsAgo(months: number): Date {
  const first = new Date();
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - months, 1));
}

/** A policy whose retention deletes what was received before the first of the month so many months ago. */
export const daysToMonth = (months: number): number => Math.floor((Date.now() - monthsAgo(months).getTime()) / DAY_MS) - 3;

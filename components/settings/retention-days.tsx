export const RETENTION_CHOICES = [7, 30, 90, 180, 365, 730, 1825, 3650];

/** Returns 90 as "90 days", 730 as "2 years". */
export const daysWords = (days: number): string => (days % 365 === 0 ? (days === 365 ? "1 year" : `${days / 365} years`) : `${days} days`);

/** Returns a date as "1 November 2026", UTC. */
export const dayWords = (at: Date): string =>
  at.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

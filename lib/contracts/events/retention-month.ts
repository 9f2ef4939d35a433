/** Returns the first of a month, UTC: events leave by calendar month, at most a month after their days are over. */
export function goneBefore(days: number, now: Date): Date {
  const reached = new Date(now.getTime() - days * 86_400_000);
  return new Date(Date.UTC(reached.getUTCFullYear(), reached.getUTCMonth(), 1));
}

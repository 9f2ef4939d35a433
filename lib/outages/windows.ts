const MINUTE_MS = 60_000;
/** Outages with less than this between them are one. */
const MERGED_MS = 2 * MINUTE_MS;

export type OutageMinute = { minute: Date; unavailable: number; limited: number };
export type Absence = { from: Date; to: Date };

/** Times in milliseconds since 1970. */
export type OutageWindow = { from: number; to: number; awayMs: number; unavailable: number; limited: number };

/** Merges minutes and absences, the newest first. */
export function windowsOf(minutes: readonly OutageMinute[], absences: readonly Absence[]): OutageWindow[] {
  const parts = [
    ...minutes.map(({ minute, ...counts }) => ({ from: minute.getTime(), to: minute.getTime() + MINUTE_MS, awayMs: 0, ...counts })),
    ...absences.map(({ from, to }) => ({
      ...{ from: from.getTime(), to: to.getTime(), unavailable: 0, limited: 0 },
      awayMs: to.getTime() - from.getTime(),
    })),
  ].sort((a, b) => a.from - b.from);
  const windows: OutageWindow[] = [];
  for (const part of parts) {
    const last = windows.at(-1);
    if (last === undefined || part.from - last.to >= MERGED_MS) windows.push(part);
    else
      windows[windows.length - 1] = {
        from: last.from,
        to: Math.max(last.to, part.to),
        awayMs: last.awayMs + part.awayMs,
        unavailable: last.unavailable + part.unavailable,
        limited: last.limited + part.limited,
      };
  }
  return windows.reverse();
}

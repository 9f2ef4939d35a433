const SECOND = 1000;
const UNITS: [ms: number, name: string][] = [
  [86_400 * SECOND, "d"],
  [3600 * SECOND, "h"],
  [60 * SECOND, "min"],
  [SECOND, "s"],
];

/** Returns a duration in its two largest units: `2 h 5 min`. */
export function durationWords(ms: number): string {
  const at = UNITS.findIndex(([unit]) => ms >= unit);
  const [first, second] = UNITS.slice(at);
  if (at < 0 || !first) return "less than 1 s";
  const rest = second ? Math.floor((ms % first[0]) / second[0]) : 0;
  return `${Math.floor(ms / first[0])} ${first[1]}${second && rest > 0 ? ` ${rest} ${second[1]}` : ""}`;
}

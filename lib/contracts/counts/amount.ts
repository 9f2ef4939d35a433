import { upTo } from "#lib/contracts/counts/format-count";
/** Returns a count that is capped at 1,001 in words: `1 delivery held`, `14 deliveries held`, `more than 1,000 failures`. */
export function amountWords(count: number, unit: string): string {
  if (count === 1) return `1 ${unit.replace(/^(\w+?)(ies|s)\b/, (_, stem: string, end: string) => (end === "ies" ? `${stem}y` : stem))}`;
  return `${upTo(count)} ${unit}`;
}

import { upTo } from "#lib/contracts/counts/format-count";
/** Returns a capped amount in words: `1 delivery held`, `14 deliveries held`, `more than 1,000 failures`. Counts are capped at 1,001. */
export function amountWords(count: number, unit: string): string {
  if (count === 1) return `1 ${unit.replace(/^(\w+?)(ies|s)\b/, (_, stem: string, end: string) => (end === "ies" ? `${stem}y` : stem))}`;
  return `${upTo(count)} ${unit}`;
}

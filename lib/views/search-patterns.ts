export const likeText = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

const regexText = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "\\$&");

/** Returns small letters, accents composed with them: names of files from a Mac have both apart. */
export const asSearched = (text: string): string => text.normalize("NFC").toLowerCase();

/** Splits a search into at most eight words. */
export const wordsOf = (q: string): string[] => asSearched(q).split(/\s+/).filter(Boolean).slice(0, 8);

/** Shorter words have too many neighbours, and longer ones cost too much. */
const SLIP_LENGTHS = { min: 4, max: 24 };

/** Returns patterns for one typing error (missing, extra, wrong or swapped letter). `like` is a quick sieve, `regex` bounds its gaps. */
export function slipPatterns(word: string): { like: string[]; regex: string } | null {
  const letters = [...word];
  if (letters.length < SLIP_LENGTHS.min || letters.length > SLIP_LENGTHS.max) return null;
  const halves = letters.slice(1).map((_, at) => [letters.slice(0, at).join(""), letters.slice(at + 2).join("")] as const);
  return {
    like: halves.map(([before, after]) => `%${likeText(before)}%${likeText(after)}%`),
    regex: halves.map(([before, after]) => `${regexText(before)}.{0,3}${regexText(after)}`).join("|"),
  };
}

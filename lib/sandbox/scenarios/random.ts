export type Random = {
  pick: <const T extends readonly [unknown, ...unknown[]]>(from: T) => T[number];
  between: (low: number, high: number) => number;
  id: (prefix: string) => string;
};

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Returns predictable choices (mulberry32); not for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    between,
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
    id: (prefix) => `${prefix}_${Array.from({ length: 20 }, () => ALPHABET[between(0, 35)]).join("")}`,
  };
}

export const freshSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

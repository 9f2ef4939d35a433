const format = new Intl.NumberFormat("en-GB");

/** Number up to which most counts are made; one above it means that there are more. */
export const COUNT_CAP = 1000;

/** A number with thousands separators: `1,204`. */
export const formatNumber = (value: number): string => format.format(value);

/** Returns the noun as it stands beside a count: `event` for 1, else `events`. */
export const nounFor = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);

/** Returns an amount in words: `1 event`, `2,000 events`. */
export const countWords = (count: number, one: string, many?: string): string => `${formatNumber(count)} ${nounFor(count, one, many)}`;

/** Returns a number that was counted up to a cap, for figures: `1,000`, `1,000+`. */
export const cappedNumber = (count: number, cap = COUNT_CAP): string => (count > cap ? `${formatNumber(cap)}+` : formatNumber(count));

/** Returns a number that was counted up to a cap, for sentences: `1,000`, `more than 1,000`. */
export const upTo = (count: number, cap = COUNT_CAP): string => (count > cap ? `more than ${formatNumber(cap)}` : formatNumber(count));

/** Returns a capped amount in words: `1 event`, `more than 1,000 events`. */
export const cappedWords = (count: number, one: string, cap?: number): string => `${upTo(count, cap)} ${nounFor(count, one)}`;

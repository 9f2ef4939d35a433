const format = new Intl.NumberFormat("en-GB");

/** A number with thousands separators: `1,204`. */
export const formatNumber = (value: number): string => format.format(value);

/** Returns an amount in words: `1 event`, `2,000 events`. */
export const countWords = (count: number, one: string, many = `${one}s`): string => `${formatNumber(count)} ${count === 1 ? one : many}`;

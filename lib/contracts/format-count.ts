const format = new Intl.NumberFormat("en-GB");

/** Most counts stop one above this: there are more. */
export const COUNT_CAP = 1000;

export const formatNumber = (value: number): string => format.format(value);

export const nounFor = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);

export const countWords = (count: number, one: string, many?: string): string => `${formatNumber(count)} ${nounFor(count, one, many)}`;

/** Returns `1,000` or `1,000+`, for figures. */
export const cappedNumber = (count: number, cap = COUNT_CAP): string => (count > cap ? `${formatNumber(cap)}+` : formatNumber(count));

/** Returns `1,000` or `more than 1,000`, for sentences. */
export const upTo = (count: number, cap = COUNT_CAP): string => (count > cap ? `more than ${formatNumber(cap)}` : formatNumber(count));

export const cappedWords = (count: number, one: string, cap?: number): string => `${upTo(count, cap)} ${nounFor(count, one)}`;

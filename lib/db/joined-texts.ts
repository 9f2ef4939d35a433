/** U+001E, the record separator: JSON text has no unescaped control character. */
const SEPARATOR = "\u001e";

/** Joins texts into one parameter for `splitSql`: to quote long JSON in an array costs as much as parsing it. */
export const joined = (texts: string[]): string =>
  texts.map((text) => (text.includes(SEPARATOR) ? text.replaceAll(SEPARATOR, " ") : text)).join(SEPARATOR);

/** Splits such a parameter into `text[]`. No text may be the only one and empty. */
export const splitSql = (parameter: string): string => `string_to_array(${parameter}::text, chr(30))`;

/** U+001E, the record separator: JSON text has no control character that is not escaped. */
const SEPARATOR = "\u001e";

/**
 * Texts as one parameter, for `splitSql`. As an array they would be quoted, every quote in them escaped and unescaped
 * again: of long JSON that costs as much as parsing it. In other texts the separator becomes a blank.
 */
export const joined = (texts: string[]): string =>
  texts.map((text) => (text.includes(SEPARATOR) ? text.replaceAll(SEPARATOR, " ") : text)).join(SEPARATOR);

/** The texts of such a parameter as an array again: `$4` -> `text[]`. No text may be the only one and empty. */
export const splitSql = (parameter: string): string => `string_to_array(${parameter}::text, chr(30))`;

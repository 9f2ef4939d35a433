/**
 * Text as PostgreSQL takes it, in columns of text and in JSON: U+0000 and lone surrogates become U+FFFD. Cut a text
 * before, not after: a cut may leave half of a surrogate pair.
 */
export const storableText = (text: string): string => (text.includes("\u0000") ? text.replaceAll("\u0000", "\ufffd") : text).toWellFormed();

/** Replaces U+0000 and lone surrogates, which PostgreSQL rejects, by U+FFFD. Cut text before: a cut may leave half a surrogate pair. */
export const storableText = (text: string): string => (text.includes("\u0000") ? text.replaceAll("\u0000", "\ufffd") : text).toWellFormed();

/** Returns a text with its accents composed, and apart: keyboards and systems write both. */
export const normalForms = (text: string): string[] => [...new Set([text.normalize("NFC"), text.normalize("NFD")])];

const escaped = (unit: string): string => {
  const code = unit.charCodeAt(0).toString(16);
  return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, "0")}`;
};

/** Also characters that turn the direction of text or end a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Escapes control characters of foreign text: it must not move the cursor, set a title, ring the bell or forge a line. */
export const printable = (text: string): string => text.replaceAll(CONTROLS, escaped);

/**
 * Controls but tabs and line breaks, characters that turn the direction of text, and those without width. Those that shape letters and
 * emoji (U+200C, U+200D) are part of what is read.
 */
const UNSEEN = /[^\P{Cc}\t\n\r]|[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** Writes as `\u202e` what a page would obey or hide. For the eye only: copies, links and keys stay. */
export const visible = (text: string): string =>
  text.replaceAll(UNSEEN, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Returns text and escapes in turn, so that the escapes can be told from the same letters in the text. */
export const visibleParts = (text: string): string[] => text.split(new RegExp(`(${UNSEEN.source})`, "u")).map(visible);

export const printableLines = (text: string): string => text.split("\n").map(printable).join("\n");

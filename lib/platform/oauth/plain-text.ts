/**
 * Text of the platform as it can be stored and shown on one line: PostgreSQL
 * takes neither U+0000 nor a lone surrogate, and other control characters would
 * break the line.
 */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  return line.toWellFormed().trim();
}

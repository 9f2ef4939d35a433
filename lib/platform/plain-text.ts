/** Returns text of the platform on one line, without control characters and lone surrogates, as PostgreSQL takes it. */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  return line.toWellFormed().trim();
}

/**
 * Replaces strings of a JSON text by their value, however they are escaped. All else stays as it was written: numbers
 * beyond what a double holds, repeated keys, whitespace.
 */
export function replaceStrings(text: string, replace: (string: string) => string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let start = text.indexOf('"'); start !== -1; ) {
    const end = endOfString(text, start);
    if (end === -1) break;
    const string = unescaped(text.slice(start, end));
    const replaced = string === null ? null : replace(string);
    if (replaced !== string) {
      parts.push(text.slice(copied, start), JSON.stringify(replaced));
      copied = end;
    }
    start = text.indexOf('"', end);
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(copied);
}

/** Returns where the string that starts at a quote has ended; -1 for one without an end. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text[before] === "\\") before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  return -1;
}

/** Returns the value of a string with its quotes; null for one that is not valid. */
export function unescaped(literal: string): string | null {
  if (!literal.includes("\\")) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return null;
  }
}

import { endOfString } from "#lib/contracts/json/exact-json";

/** Replaces strings by their value, however they are escaped. The rest stays: numbers beyond a double, repeated keys, whitespace. */
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

/** Returns the value of a quoted string; null if it is invalid. */
export function unescaped(literal: string): string | null {
  if (!literal.includes("\\")) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return null;
  }
}

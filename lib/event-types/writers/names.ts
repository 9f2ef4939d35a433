/** Names that the written code uses itself, or that a type of this name would hide. */
const TAKEN = [
  ...["Array", "Record", "Event", "Object", "String", "Number", "Boolean", "Symbol", "Function", "Promise", "Date", "Error", "Map", "Set"],
  ...["SignalboxEnvelope", "SignalboxEvent", "SignalboxEventType", "Infinity", "NaN"],
];

/** Gives out names for declarations, each once. */
export class Names {
  private readonly taken = new Set(TAKEN);

  /** Returns `DocumentProcessed` for `document.processed`, with a number behind it where that is taken. */
  take(...texts: string[]): string {
    const name = texts.map(pascal).join("");
    const safe = /^[\p{ID_Start}_$]/u.test(name) ? name : `Type${name}`;
    let free = safe;
    for (let number = 2; this.taken.has(free); number += 1) free = `${safe}${number}`;
    this.taken.add(free);
    return free;
  }
}

const pascal = (text: string): string =>
  text
    .split(/[^\p{ID_Continue}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

export const camel = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** Returns text that ends neither its line nor its comment. */
export const inComment = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").replaceAll("*/", "* /");

/** Writes a value as a literal of TypeScript: JSON, without the characters that end a line or turn the direction of text. */
export const literal = (value: unknown): string =>
  (JSON.stringify(value) ?? "undefined").replaceAll(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

export const indented = (depth: number): string => "  ".repeat(depth);

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** The valid part of a string: from its first quote to its last, or to the invalid character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in strings.
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*/y;
const WORDS = ["true", "false", "null"];

type Open = "[" | "{";

/** Returns the index at which a text stops being JSON (RFC 8259); null if valid. Without recursion: depth costs a character each. */
export function firstJsonError(text: string, begin: number): number | null {
  const open: Open[] = [];
  let at = skipSpace(text, begin);
  for (;;) {
    const value = readValue(text, at, open);
    if (value.error) return value.at;
    at = skipSpace(text, value.at);
    // A value has ended: close containers until one goes on.
    while (!value.opened) {
      const inside = open.at(-1);
      if (inside === undefined) return at < text.length ? at : null;
      if (text[at] === ",") {
        at = skipSpace(text, at + 1);
        break;
      }
      if (text[at] !== (inside === "[" ? "]" : "}")) return at;
      open.pop();
      at = skipSpace(text, at + 1);
    }
    if (open.at(-1) === "{") {
      const name = readName(text, at);
      if (name.error) return name.at;
      at = name.at;
    }
  }
}

type Read = { at: number; error: boolean };

/** Reads a scalar, an empty container, or the beginning of one: then `opened` is true and its first entry follows. */
function readValue(text: string, at: number, open: Open[]): Read & { opened: boolean } {
  const first = text[at];
  if (first === "[" || first === "{") {
    const inside = skipSpace(text, at + 1);
    if (text[inside] === (first === "[" ? "]" : "}")) return { at: inside + 1, error: false, opened: false };
    open.push(first);
    return { at: inside, error: false, opened: true };
  }
  return { ...readScalar(text, at), opened: false };
}

function readScalar(text: string, at: number): Read {
  if (text[at] === '"') return readString(text, at);
  const word = WORDS.find((each) => each[0] === text[at]);
  if (word !== undefined) {
    const fits = [...word].findIndex((letter, index) => text[at + index] !== letter);
    return fits === -1 ? { at: at + word.length, error: false } : { at: at + fits, error: true };
  }
  const end = matchEnd(NUMBER, text, at);
  if (end !== null) return { at: end, error: false };
  return { at: text[at] === "-" ? at + 1 : at, error: true };
}

function readString(text: string, at: number): Read {
  const end = matchEnd(STRING, text, at);
  if (end === null) return { at, error: true };
  return text[end] === '"' ? { at: end + 1, error: false } : { at: end, error: true };
}

function readName(text: string, at: number): Read {
  const name = readString(text, at);
  if (name.error) return name;
  const colon = skipSpace(text, name.at);
  return text[colon] === ":" ? { at: skipSpace(text, colon + 1), error: false } : { at: colon, error: true };
}

const skipSpace = (text: string, at: number): number => matchEnd(SPACE, text, at) ?? at;

function matchEnd(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

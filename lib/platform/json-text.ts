import { endOfString } from "#lib/contracts/exact-json";

type JsonError = {
  /** Bytes before the first that does not fit. */
  offset: number;
  /** From 1; columns count characters. Null if the body is not text. */
  line: number | null;
  column: number | null;
  near: { before: string; at: string; after: string } | null;
};

const AROUND = 40;

/** Returns where a body stops being valid UTF-8 or JSON (RFC 8259); null if it is both. */
export function locateJsonError(body: Uint8Array): JsonError | null {
  const invalid = firstInvalidByte(body);
  if (invalid !== null) return { offset: invalid, line: null, column: null, near: null };
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  // A byte order mark is dropped before the text is parsed.
  const begin = text.startsWith("\ufeff") ? 1 : 0;
  const error = firstJsonError(text, begin);
  if (error === null) return null;
  const before = text.slice(0, error);
  const lineBegin = before.lastIndexOf("\n") + 1;
  const character = String.fromCodePoint(...[text.codePointAt(error)].filter((code) => code !== undefined));
  return {
    offset: Buffer.byteLength(before),
    line: before.split("\n").length,
    column: [...text.slice(lineBegin, error)].length + 1,
    near: {
      before: text.slice(Math.max(0, error - AROUND), error).toWellFormed(),
      at: character,
      after: text.slice(error + character.length, error + character.length + AROUND).toWellFormed(),
    },
  };
}

function firstInvalidByte(body: Uint8Array): number | null {
  if (isUtf8(body, false)) return null;
  // Finds the longest beginning that can still become UTF-8.
  let [fits, fails] = [0, body.length + 1];
  while (fails - fits > 1) {
    const middle = Math.floor((fits + fails) / 2);
    if (isUtf8(body.subarray(0, middle), true)) fits = middle;
    else fails = middle;
  }
  return Math.min(fits, body.length);
}

/** True for UTF-8. An `open` text may go on: an incomplete character at its end is no error. */
function isUtf8(bytes: Uint8Array, open: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: open });
    return true;
  } catch {
    return false;
  }
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** The valid part of a string: from its first quote to its last, or to the invalid character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in strings.
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*/y;
const WORDS = ["true", "false", "null"];

type Open = "[" | "{";

/** Returns the index at which a text stops being JSON (RFC 8259); null if valid. Without recursion: depth costs a character each. */
function firstJsonError(text: string, begin: number): number | null {
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

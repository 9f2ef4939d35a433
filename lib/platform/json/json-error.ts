import { firstJsonError } from "./json-scanner.ts";

export type JsonError = {
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

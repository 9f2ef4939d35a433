import { parseJson } from "../reading/payload.ts";
import { jsonStyles } from "./json-styles.ts";

/** A body that may have been signed instead of the received one, and what happened on the way. */
export type BodyVariant = { body: Buffer; words: string };

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
/** Indented text grows with its depth: deeper JSON is not tried in other styles. */
const DEEPEST = 64;

/** Yields bodies that may have been changed to this one on the way, the likeliest first. */
export function* bodyVariants(body: Buffer): Generator<BodyVariant> {
  yield* endVariants(body);
  const text = readUtf8(body);
  if (text !== null) {
    yield* lineVariants(text);
    yield* normalVariants(text);
  }
  yield* charsetVariants(body, text);
  if (text !== null && isFlatJson(body, text)) {
    for (const style of jsonStyles(text)) {
      const words = `Its JSON was re-serialized; it was signed ${style.words}.`;
      yield { body: Buffer.from(style.text), words };
      yield { body: Buffer.from(`${style.text}\n`), words: `${words.slice(0, -1)}, followed by a line break.` };
    }
  }
}

function* endVariants(body: Buffer): Generator<BodyVariant> {
  const hasBom = body.subarray(0, 3).equals(BOM);
  if (hasBom) yield { body: body.subarray(3), words: "A byte order mark was added." };
  else yield { body: Buffer.concat([BOM, body]), words: "Its byte order mark was removed." };
  const end = trimmedEnd(body);
  if (end < body.length) yield { body: body.subarray(0, end), words: "Trailing whitespace was added." };
  yield { body: Buffer.concat([body, Buffer.from("\n")]), words: "Its trailing line break was removed." };
  yield { body: Buffer.concat([body, Buffer.from("\r\n")]), words: "Its trailing Windows line break was removed." };
}

function* lineVariants(text: string): Generator<BodyVariant> {
  const unix = text.replaceAll("\r\n", "\n");
  if (unix !== text) yield { body: Buffer.from(unix), words: "Its line endings were changed from LF to CRLF." };
  const windows = unix.replaceAll("\n", "\r\n");
  if (windows !== text) yield { body: Buffer.from(windows), words: "Its line endings were changed from CRLF to LF." };
}

/** Yields the other spelling of é and the like: one character, or a letter and an accent. */
function* normalVariants(text: string): Generator<BodyVariant> {
  for (const form of ["NFC", "NFD"] as const) {
    const other = text.normalize(form);
    if (other !== text) yield { body: Buffer.from(other), words: `Its Unicode normalization was changed: it was signed in ${form}.` };
  }
}

function* charsetVariants(body: Buffer, text: string | null): Generator<BodyVariant> {
  if (text === null) {
    yield { body: Buffer.from(body.toString("latin1")), words: "It was signed in UTF-8 and sent in ISO 8859-1 (Latin-1)." };
    const windows = new TextDecoder("windows-1252").decode(body);
    yield { body: Buffer.from(windows), words: "It was signed in UTF-8 and sent in Windows-1252." };
    const utf16 = new TextDecoder("utf-16le").decode(body);
    yield { body: Buffer.from(utf16), words: "It was signed in UTF-8 and sent in UTF-16." };
    return;
  }
  for (const [charset, encode] of SINGLE_BYTE) {
    const before = encode(text);
    if (before === null || before.equals(body)) continue;
    const twice = readUtf8(before) !== null;
    yield {
      body: before,
      words: twice ? `Its UTF-8 was read as ${charset} and encoded again.` : `It was signed in ${charset} and sent in UTF-8.`,
    };
  }
  yield { body: Buffer.from(text, "utf16le"), words: "It was signed in UTF-16 and sent in UTF-8." };
}

const SINGLE_BYTE: [charset: string, encode: (text: string) => Buffer | null][] = [
  ["ISO 8859-1 (Latin-1)", (text) => (/[^\p{ASCII}\u0080-\u00ff]/u.test(text) ? null : Buffer.from(text, "latin1"))],
  ["Windows-1252", toWindows1252],
];

let windows1252: Map<string, number> | undefined;

function toWindows1252(text: string): Buffer | null {
  const every = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  windows1252 ??= new Map([...new TextDecoder("windows-1252").decode(every)].map((character, byte) => [character, byte]));
  const table = windows1252;
  const bytes = Array.from(text, (character) => table.get(character) ?? -1);
  return bytes.includes(-1) ? null : Buffer.from(bytes);
}

function readUtf8(body: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return null;
  }
}

function isFlatJson(body: Buffer, text: string): boolean {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === "{" || character === "[") deepest = Math.max(deepest, ++depth);
    else if (character === "}" || character === "]") depth -= 1;
  }
  return deepest <= DEEPEST && text.charCodeAt(0) !== 0xfeff && parseJson(body).ok;
}

function trimmedEnd(body: Buffer): number {
  let end = body.length;
  while (end > 0 && [0x20, 0x09, 0x0a, 0x0d, 0x00].includes(body[end - 1] ?? -1)) end -= 1;
  return end;
}

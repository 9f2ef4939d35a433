import { parseJson } from "../payload.ts";

/** A key that a sender may have used instead of our secret. `ours`: our text is the odd one. */
export type SecretVariant = { key: string | Buffer; words: string; ours: boolean };

const STRAYS: [stray: string, words: string][] = [
  ["\n", "a trailing line break"],
  ["\r\n", "a trailing Windows line break"],
  [" ", "a trailing space"],
  ["\t", "a trailing tab"],
];

const QUOTES: [quote: string, words: string][] = [
  ['"', "quotes around it"],
  ["'", "single quotes around it"],
];

export function* trimmedSecrets(secret: string): Generator<SecretVariant> {
  const bare = bareOf(secret);
  if (bare !== secret) yield { key: bare, words: `ours has ${oddityOf(secret)}`, ours: true };
  for (const [clean, words] of PASTED) {
    const key = clean(bare);
    if (key !== bare) yield { key, words: `ours ${words}`, ours: true };
  }
  for (const [stray, words] of STRAYS) yield { key: `${bare}${stray}`, words: `the sender's has ${words}`, ours: false };
  yield { key: ` ${bare}`, words: "the sender's has a leading space", ours: false };
  for (const [quote, words] of QUOTES) yield { key: `${quote}${bare}${quote}`, words: `the sender's has ${words}`, ours: false };
}

/** Formats and blanks that no screen shows, and no sender's secret holds. */
export const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u3000]/u;
/** `WEBHOOK_SECRET=…`, as a line of an environment file. */
export const SETTING_NAME = /^(?:export +)?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)=(?=[^=])/;
/** `Bearer …`, as the header has it. */
export const AUTH_SCHEME = /^(bearer|basic) +(?=\S)/i;

const PASTED: [clean: (secret: string) => string, words: string][] = [
  [(secret) => secret.replaceAll(new RegExp(UNSEEN, "gu"), ""), "has a character that can't be seen"],
  [(secret) => secret.replace(SETTING_NAME, ""), "begins with the name of a setting"],
  [(secret) => secret.replace(AUTH_SCHEME, ""), "begins with Bearer or Basic"],
  [(secret) => secret.replace(/^v1,(?=whsec_)/, ""), "begins with v1,"],
  [latin, "has letters that only look like Latin ones"],
];

/** Cyrillic and Greek letters that fonts draw as the Latin ones below them. */
const LOOK_ALIKES = "АВЕКМНОРСТУХаеорсухіјѕԛԝһΑΒΕΖΗΙΚΜΝΟΡΤΥΧο";
const LATIN = "ABEKMHOPCTYXaeopcyxijsqwhABEZHIKMNOPTYXo";

function latin(secret: string): string {
  return secret.normalize("NFKC").replaceAll(/\P{ASCII}/gu, (letter) => LATIN[LOOK_ALIKES.indexOf(letter)] ?? letter);
}

/** Yields the secret decoded to bytes, as some libraries do. */
export function* decodedSecrets(secret: string): Generator<SecretVariant> {
  const bare = bareOf(secret);
  if (/^([0-9a-f]{2})+$/i.test(bare)) yield { key: Buffer.from(bare, "hex"), words: "decoded as hexadecimal", ours: false };
  if (/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(bare)) yield { key: Buffer.from(bare, "base64"), words: "decoded as base64", ours: false };
  const [, tail] = /^whsec_(.+)$/.exec(bare) ?? [];
  if (!tail) return;
  yield { key: tail, words: "without its whsec_ prefix", ours: false };
  yield { key: Buffer.from(tail, "base64"), words: "without its whsec_ prefix, decoded as base64", ours: false };
}

function bareOf(secret: string): string {
  const trimmed = secret.replace(/^\ufeff/, "").trim();
  const [, double, single] = /^(?:"(.+)"|'(.+)')$/.exec(trimmed) ?? [];
  return double ?? single ?? trimmed;
}

function oddityOf(secret: string): string {
  if (/[\r\n]$/.test(secret)) return "a trailing line break";
  if (secret.startsWith("\ufeff")) return "a leading byte order mark";
  return secret.trim() === secret ? "quotes around it" : "whitespace around it";
}

/** Returns URLs that a sender may have signed before a proxy changed them to ours: scheme, port, slash and query. */
export function urlVariants(url: string): string[] {
  const parts = /^(https?):\/\/([^/:?#]+)(:\d+)?([^?]*)(\?.*)?$/s.exec(url);
  if (!parts) return [];
  const [, , host, port = "", path = "", query = ""] = parts;
  const variants = ["https", "http"].flatMap((scheme) =>
    ["", port].flatMap((at) =>
      [path, path.endsWith("/") ? path.slice(0, -1) : `${path}/`, `/${path}`].flatMap((way) =>
        [query, ""].map((rest) => `${scheme}://${host}${at}${way}${rest}`),
      ),
    ),
  );
  return [...new Set(variants)].filter((variant) => variant !== url);
}

/** A body that may have been signed instead of the received one, and what happened on the way. */
type BodyVariant = { body: Buffer; words: string };

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

type Layout = { colon: string; comma: string; indent: string; newline: string };

const LAYOUTS: [words: string, layout: Layout][] = [
  ["without whitespace", { colon: ":", comma: ",", indent: "", newline: "" }],
  ["with a space after each colon and comma (Python style)", { colon: ": ", comma: ", ", indent: "", newline: "" }],
  ["indented by two spaces", { colon: ": ", comma: ",", indent: "  ", newline: "\n" }],
  ["indented by four spaces", { colon: ": ", comma: ",", indent: "    ", newline: "\n" }],
  ["indented by tabs", { colon: ": ", comma: ",", indent: "\t", newline: "\n" }],
];

const SPELLINGS: [words: string, spell: (text: string) => string][] = [
  ["", (text) => text],
  [", non-ASCII characters escaped", escapeNonAscii],
  [", escapes decoded", (text) => JSON.stringify(JSON.parse(text))],
  [", slashes escaped", (text) => escapeNonAscii(text).replaceAll(/(?<!\\)\//g, "\\/")],
  [", slashes not escaped", (text) => text.replaceAll("\\/", "/")],
  [", <, > and & escaped (Go style)", (text) => text.replaceAll(/[<>&]/g, escapeUnit)],
];

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Yields other spellings; numbers, key order and duplicate keys stay. `json` must be valid: on anything else the tokenizer is slow. */
function* jsonStyles(json: string): Generator<{ text: string; words: string }> {
  const tokens = json.match(TOKEN) ?? [];
  for (const [spelling, spell] of SPELLINGS) {
    const spelt = tokens.map((token) => (token.startsWith('"') ? spell(token) : token));
    for (const [words, layout] of LAYOUTS) yield { text: layOut(spelt, layout), words: `${words}${spelling}` };
  }
  const sorted = sortKeys(JSON.parse(json));
  yield { text: JSON.stringify(sorted), words: "with its keys sorted" };
  const spaced = layOut(JSON.stringify(sorted).match(TOKEN) ?? [], { colon: ": ", comma: ", ", indent: "", newline: "" });
  yield { text: spaced, words: "with its keys sorted and a space after each colon and comma" };
}

function layOut(tokens: string[], { colon, comma, indent, newline }: Layout): string {
  let depth = 0;
  const breakLine = () => (newline === "" ? "" : newline + indent.repeat(depth));
  const pieces = tokens.map((token, index) => {
    if (token === ":") return colon;
    if (token === ",") return comma + breakLine();
    if (token === "{" || token === "[") {
      const next = tokens[index + 1];
      if (next === "}" || next === "]") return token;
      depth += 1;
      return token + breakLine();
    }
    if (token !== "}" && token !== "]") return token;
    const before = tokens[index - 1];
    if (before === "{" || before === "[") return token;
    depth -= 1;
    return breakLine() + token;
  });
  return pieces.join("");
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sortKeys(each)]));
}

function escapeNonAscii(text: string): string {
  return text.replaceAll(/[\u0080-\uffff]/g, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

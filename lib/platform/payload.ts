import { Buffer, isUtf8 } from "node:buffer";
import { parseExact } from "#lib/contracts/exact-json";

type Payload = { ok: true; value: unknown } | { ok: false; detail: string };

const BYTE_ORDER_MARK = 0xfeff;

/** Reads JSON without throwing, numbers as they were written. Pass `JSON.parse` to compare with another's `JSON.parse`. */
export function parseJson(body: Uint8Array, parse: (text: string) => unknown = parseExact): Payload {
  if (!isUtf8(body)) return { ok: false, detail: "The body is not valid UTF-8." };
  const decoded = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  // JSON.parse would reject it.
  const text = decoded.charCodeAt(0) === BYTE_ORDER_MARK ? decoded.slice(1) : decoded;
  try {
    return { ok: true, value: parse(text) };
  } catch {
    return { ok: false, detail: text === "" ? "The body is empty." : "The body is not valid JSON." };
  }
}

/** Field of a form that holds the event as JSON: GitHub's and Slack's. */
const JSON_FIELD = "payload";

type Field = [name: string, value: unknown];

/** A megabyte can hold half a million, which take seconds, and compressed it is a kilobyte of a stranger's. */
const MAX_FIELDS = 1000;
type Fields = Field[] | "too_many" | null;

/** Reads JSON, a form, or a form with JSON in `payload`. Ignores the content type, so that the log reads the same later. */
export function readPayload(body: Uint8Array): Payload {
  const json = parseJson(body);
  if (json.ok) return json;
  const fields = partsIn(body) ?? pairsIn(body);
  if (fields === null) return json;
  if (fields === "too_many") return { ok: false, detail: `The form has more than ${MAX_FIELDS} fields.` };
  const inField = fields.findLast(([name]) => name === JSON_FIELD)?.[1];
  return typeof inField === "string" ? parseJson(Buffer.from(inField)) : { ok: true, value: inOne(fields) };
}

/** A first name as every writer of forms sends it: no beginning of JSON, of markup or of a sentence. */
const FORM = /^[^\s=<>{}"]+=/;

/** Reads `name=value&…` (application/x-www-form-urlencoded) as the WHATWG parser does. */
function pairsIn(body: Uint8Array): Fields {
  const text = Buffer.from(body).toString();
  if (!FORM.test(text)) return null;
  return text.split("&", MAX_FIELDS + 1).length > MAX_FIELDS ? "too_many" : [...new URLSearchParams(text)];
}

/** Lists the values of a name that is repeated. */
function inOne(fields: Field[]): Record<string, unknown> {
  const byName = Map.groupBy(fields, ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, [first, ...more]]) => [name, more.length === 0 ? first?.[1] : [first, ...more].map((field) => field?.[1])]),
  );
}

/** Boundaries have at most 70 characters (RFC 2046 section 5.1.1). */
const FIRST_LINE = /^--[^\r\n]{1,70}\r\n/;

/** Reads `multipart/form-data` (RFC 7578) by the boundary in its first line; of a file its name, type and size. */
function partsIn(body: Uint8Array): Fields {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
  const [boundary] = FIRST_LINE.exec(bytes) ?? [];
  if (boundary === undefined) return null;
  const [, ...parts] = `\r\n${bytes}`.split(`\r\n${boundary.trimEnd()}`, MAX_FIELDS + 3);
  if (parts.length > MAX_FIELDS + 1) return "too_many";
  if (!parts.pop()?.startsWith("--")) return null; // cut
  const fields = parts.map(partOf);
  return fields.every((field) => field !== null) ? fields : null;
}

function partOf(part: string): Field | null {
  const end = part.indexOf("\r\n\r\n");
  const head = utf8(part.slice(0, end));
  const [, quoted, bare] = /^content-disposition:[^\r\n]*?[;\s]name=(?:"([^"\r\n]*)"|([^;\s]+))/im.exec(head) ?? [];
  const name = quoted ?? bare;
  if (end < 0 || name === undefined) return null;
  const content = part.slice(end + 4);
  const [, type] = /^content-type:\s*([^\s;]+)/im.exec(head) ?? [];
  const json = name !== JSON_FIELD && type?.toLowerCase() === "application/json" ? parseJson(Buffer.from(content, "latin1")) : null;
  if (json?.ok) return [name, json.value];
  const [, filename] = name === JSON_FIELD ? [] : (/^content-disposition:[^\r\n]*?[;\s]filename="([^"\r\n]*)"/im.exec(head) ?? []);
  return [name, filename === undefined ? utf8(content) : { filename, ...(type !== undefined && { type }), bytes: content.length }];
}

const utf8 = (bytes: string) => Buffer.from(bytes, "latin1").toString();

/** Returns text of the platform on one line, without control characters and lone surrogates, as PostgreSQL takes it. */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  return line.toWellFormed().trim();
}

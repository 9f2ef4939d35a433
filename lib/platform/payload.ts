import { Buffer, isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { XMLParser } from "fast-xml-parser";
import { isObject, parseExact } from "#lib/contracts/exact-json";
import { idText } from "#lib/contracts/exact-numbers";
import type { EventReading } from "#lib/contracts/sources/scheme-settings";

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
/** Of a file in a form: its bytes stay in the event's body. */
type FormFile = { filename: string; type?: string; bytes: number; sha256: string };

/** A megabyte can hold half a million, which take seconds, and compressed it is a kilobyte of a stranger's. */
const MAX_FIELDS = 1000;
type Fields = Field[] | "too_many" | null;

/**
 * Reads JSON, a form, or a form with JSON in `payload`, or in the reading's field; XML if the reading says so. Ignores the content type, so
 * that the log reads the same later. JSON is always read: entries of a list are stored as JSON.
 */
export function readPayload(body: Uint8Array, reading: Pick<EventReading, "body" | "field"> = {}): Payload {
  const json = parseJson(body);
  if (json.ok) return json;
  if (reading.body === "xml") return readXml(body);
  const form = readForm(body, reading.field);
  if (reading.body === "headers" && !form?.ok) return { ok: true, value: {} };
  return form ?? json;
}

/** Returns null if it is no form. */
function readForm(body: Uint8Array, field: string | undefined): Payload | null {
  const fields = partsIn(body) ?? pairsIn(body);
  if (fields === null) return null;
  if (fields === "too_many") return { ok: false, detail: `The form has more than ${MAX_FIELDS} fields.` };
  const named = field === undefined ? undefined : fields.findLast(([name]) => name === field)?.[1];
  if (named !== undefined) return withFiles(typeof named === "string" ? parseJson(Buffer.from(named)) : { ok: true, value: named }, fields);
  const inField = fields.findLast(([name]) => name === JSON_FIELD)?.[1];
  return typeof inField === "string" ? parseJson(Buffer.from(inField)) : { ok: true, value: inOne(fields) };
}

/** Adds the files that came beside the JSON, unless it has a list of its own. */
function withFiles(json: Payload, fields: Field[]): Payload {
  const files = fields.flatMap(([field, value]) => (isFile(value) ? [{ field, ...value }] : []));
  if (files.length === 0 || !json.ok || !isObject(json.value) || Object.hasOwn(json.value, "files")) return json;
  return { ok: true, value: { ...json.value, files } };
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

/** Reads `multipart/form-data` (RFC 7578) by the boundary in its first line; of a file its name, type, size and SHA-256. */
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
  return [name, filename === undefined ? utf8(content) : fileOf(filename, type, content)];
}

const FILES = new WeakSet<object>();
const isFile = (value: unknown): value is FormFile => typeof value === "object" && value !== null && FILES.has(value);

/** @param content a character for each byte */
function fileOf(filename: string, type: string | undefined, content: string): FormFile {
  const sha256 = createHash("sha256").update(content, "latin1").digest("hex");
  const file = { filename, ...(type !== undefined && { type }), bytes: content.length, sha256 };
  FILES.add(file);
  return file;
}

const utf8 = (bytes: string) => Buffer.from(bytes, "latin1").toString();

/** Returns text of the platform on one line, without control characters and lone surrogates, as PostgreSQL takes it. */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  return line.toWellFormed().trim();
}

/** Text stays text, as a number's digits; namespaces are left out of names; attributes stand beside elements. */
const PARSER = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

const BEGINS = /^\ufeff?\s*</;
/** A document type could define entities: text that grows, or a file of this machine. No event needs one. */
const DOCTYPE = /<!DOCTYPE/i;

/** Elements within each other: no sender's XML is deeper. */
const MAX_DEPTH = 100;

type Read = { ok: true; value: unknown } | { ok: false; detail: string };

/** Reads XML without throwing: elements as keys, repeated ones as a list. */
export function readXml(body: Uint8Array): Read {
  if (!isUtf8(body)) return { ok: false, detail: "The body is not valid UTF-8." };
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  if (!BEGINS.test(text)) return { ok: false, detail: "The body is not XML." };
  if (DOCTYPE.test(text)) return { ok: false, detail: "The XML has a document type (DOCTYPE), which is not read." };
  if (isTooDeep(text)) return { ok: false, detail: `The XML is nested deeper than ${MAX_DEPTH} elements.` };
  try {
    const value: unknown = PARSER.parse(text, true);
    return { ok: true, value };
  } catch {
    return { ok: false, detail: "The body is not valid XML." };
  }
}

/** Counts tags alone; text of a CDATA section may count too, which only rejects more. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [tag] of text.matchAll(/<[/!?]?[^<>]*>/g)) {
    if (tag.startsWith("</")) depth -= 1;
    else if (!/^<[!?]|\/>$/.test(tag)) depth += 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** No sender's fields are deeper, and each level may be JSON in a text. */
const MAX_TEXTS = 4;

/**
 * Returns a reader of a body's fields, as text. The body is read once, when the first field is asked for; a path goes on into a text that is
 * JSON, as a form's field holds it.
 */
export function fieldsOf(body: Uint8Array): (path: string) => string | undefined {
  const texts = new Map<string, unknown>();
  let payload: { value: unknown } | undefined;
  const inText = (text: string): unknown => {
    if (!texts.has(text) && texts.size < MAX_TEXTS) {
      const json = parseJson(Buffer.from(text));
      texts.set(text, json.ok ? json.value : undefined);
    }
    return texts.get(text);
  };
  return (path) => {
    if (payload === undefined) {
      const read = readPayload(body);
      payload = { value: read.ok ? read.value : undefined };
    }
    let value = payload.value;
    for (const key of path.split(".")) {
      const inner = typeof value === "string" ? inText(value) : value;
      if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined;
      value = (inner as Record<string, unknown>)[key];
    }
    return idText(value);
  };
}

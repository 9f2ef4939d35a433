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

/** `name=value&…` (application/x-www-form-urlencoded). */
const FORM = /^[\w.%+*[\]-]+=\S*$/;

/** Reads JSON, a form, or a form with JSON in `payload`. Ignores the content type, so that the log reads the same later. */
export function readPayload(body: Uint8Array): Payload {
  const json = parseJson(body);
  if (json.ok) return json;
  const text = Buffer.from(body).toString();
  if (!FORM.test(text)) return json;
  const fields = Object.fromEntries(new URLSearchParams(text));
  const inField = fields[JSON_FIELD];
  return inField === undefined ? { ok: true, value: fields } : parseJson(Buffer.from(inField));
}

/** Returns text of the platform on one line, without control characters and lone surrogates, as PostgreSQL takes it. */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  return line.toWellFormed().trim();
}

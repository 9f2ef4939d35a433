import { Buffer, isUtf8 } from "node:buffer";
import { parseExact } from "#lib/contracts/json/exact-json";

/** The value that a body holds, or in words why it holds none. */
export type Payload = { ok: true; value: unknown } | { ok: false; detail: string };

const BYTE_ORDER_MARK = 0xfeff;

/**
 * Reads JSON without throwing, its numbers as they were written.
 *
 * @param parse `JSON.parse` for what is compared with another's `JSON.parse`
 */
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

/** The one field of a form that holds the event as JSON: GitHub's and Slack's. */
const JSON_FIELD = "payload";

/** `name=value&…` (application/x-www-form-urlencoded). */
const FORM = /^[\w.%+*[\]-]+=\S*$/;

/**
 * Reads the payload of an event: JSON, a form, or a form whose field `payload` holds JSON; whatever the content type says, so that the log
 * reads the same later. Whoever looks into a payload (fold, filter, preview, page, command line) reads it by this.
 */
export function readPayload(body: Uint8Array): Payload {
  const json = parseJson(body);
  if (json.ok) return json;
  const text = Buffer.from(body).toString();
  if (!FORM.test(text)) return json;
  const fields = Object.fromEntries(new URLSearchParams(text));
  const inField = fields[JSON_FIELD];
  return inField === undefined ? { ok: true, value: fields } : parseJson(Buffer.from(inField));
}

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { readOnce, type Scheme } from "./scheme.ts";

const HEADER = "x-twilio-signature";
const SHA1_BASE64 = /^[A-Za-z0-9+/]{27}=$/;

/**
 * Twilio signs the URL and, behind it, each form field's name and value in the order of the names; a request with
 * another body carries that body's SHA-256 in the URL (`bodySHA256`). Base64 HMAC-SHA1. Some of its services write the
 * default port into the URL and some leave it out, so both are tried.
 * https://www.twilio.com/docs/usage/webhooks/webhooks-security
 */
export const twilioScheme: Scheme = {
  trust: "signed",
  headers: [HEADER],
  needsSecret: true,
  verify({ body, headers, url }, secrets) {
    const header = readOnce(headers[HEADER]);
    if (!("text" in header)) return header;
    if (!SHA1_BASE64.test(header.text)) return { outcome: "signature_malformed" };
    const given = Buffer.from(header.text, "base64");
    const fields = signedFields(url, body);
    if (fields === null) return { outcome: "signature_mismatch" };
    for (const spelling of spellingsOf(url))
      for (const { id, value } of secrets)
        if (timingSafeEqual(digest(spelling, fields, value), given)) return { outcome: "verified", form: "signed", secretId: id };
    return { outcome: "signature_mismatch" };
  },
  sign: ({ body, secret, url }) => ({ [HEADER]: digest(url, signedFields(url, body) ?? "", secret).toString("base64") }),
};

const digest = (url: string, fields: string, secret: string) => createHmac("sha1", secret).update(url).update(fields).digest();

/** Anybody can send fields, and sorting them costs more than a signature: Twilio's own forms are far below both. */
const MAX_FORM_BYTES = 262_144;
const MAX_FIELDS = 1000;

/** The form's fields as they are signed; empty for a body that the URL vouches for; null where it vouches for another. */
function signedFields(url: string, body: Uint8Array): string | null {
  const inUrl = queryOf(url).get("bodySHA256");
  if (inUrl !== null) {
    const is = createHash("sha256").update(body).digest();
    const said = Buffer.from(inUrl, "hex");
    return said.length === is.length && timingSafeEqual(said, is) ? "" : null;
  }
  if (body.length > MAX_FORM_BYTES || fieldsIn(body) > MAX_FIELDS) return null;
  const fields = new Map<string, Set<string>>();
  for (const [name, value] of new URLSearchParams(Buffer.from(body).toString())) {
    // Different bytes that are no UTF-8 would read as the same field.
    if (name.includes("\uFFFD") || value.includes("\uFFFD")) return null;
    const values = fields.get(name) ?? new Set();
    fields.set(name, values.add(value));
  }
  const names = [...fields.keys()].sort();
  return names
    .map((name) =>
      [...(fields.get(name) ?? [])]
        .sort()
        .map((value) => name + value)
        .join(""),
    )
    .join("");
}

function fieldsIn(body: Uint8Array): number {
  let count = 1;
  for (const byte of body) if (byte === 38) count += 1;
  return count;
}

function queryOf(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
}

/** The URL as it is, and with the default port written out or left out. */
function spellingsOf(url: string): string[] {
  const parts = /^(https?):\/\/([^/:?#]+)(:\d+)?([/?#].*)?$/s.exec(url);
  if (!parts) return [url];
  const [, scheme, host, , rest = ""] = parts;
  return [...new Set([url, `${scheme}://${host}${rest}`, `${scheme}://${host}:${scheme === "https" ? 443 : 80}${rest}`])];
}

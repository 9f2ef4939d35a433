import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { readOnce, type Scheme } from "#lib/platform/schemes/scheme";

const HEADER = "x-twilio-signature";
const SHA1_BASE64 = /^[A-Za-z0-9+/]{27}=$/;

/**
 * Base64 HMAC-SHA1 over the URL and the form's fields, sorted by name; for other bodies the URL holds their SHA-256 (`bodySHA256`). Some
 * services write the default port into the URL. https://www.twilio.com/docs/usage/webhooks/webhooks-security
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
    for (const spelling of urlSpellings(url))
      for (const { id, value } of secrets)
        if (timingSafeEqual(digest(spelling, fields, value), given)) return { outcome: "verified", form: "signed", secretId: id };
    return { outcome: "signature_mismatch" };
  },
  renew: ({ body, url, contentType }) => {
    if (contentType.startsWith("application/x-www-form-urlencoded")) return { body, url };
    const digest = createHash("sha256").update(body).digest("hex");
    return { body, url: `${url}${url.includes("?") ? "&" : "?"}bodySHA256=${digest}` };
  },
  sign: ({ body, secret, url }) => ({ [HEADER]: digest(url, signedFields(url, body) ?? "", secret).toString("base64") }),
};

const digest = (url: string, fields: string, secret: string) => createHmac("sha1", secret).update(url).update(fields, "latin1").digest();

/** Sorting fields costs more than a signature, and anyone can send them: Twilio's own forms are far below both limits. */
const MAX_FORM_BYTES = 262_144;
const MAX_FIELDS = 1000;

/** Returns the signed fields, a character for each byte; empty if the URL holds this body's digest; null if it holds another's. */
function signedFields(url: string, body: Uint8Array): string | null {
  const inUrl = queryOf(url).get("bodySHA256");
  if (inUrl !== null) {
    const is = createHash("sha256").update(body).digest();
    const said = Buffer.from(inUrl, "hex");
    return said.length === is.length && timingSafeEqual(said, is) ? "" : null;
  }
  if (body.length > MAX_FORM_BYTES || fieldsIn(body) > MAX_FIELDS) return null;
  const fields = new Map<string, Set<string>>();
  for (const [name, value] of fieldsOf(body)) {
    const values = fields.get(name) ?? new Set();
    fields.set(name, values.add(value));
  }
  return [...fields.keys()]
    .sort(byText)
    .map((name) =>
      [...(fields.get(name) ?? [])]
        .sort(byText)
        .map((value) => name + value)
        .join(""),
    )
    .join("");
}

/** Returns a character for each byte: as text, invalid UTF-8 would read as U+FFFD, which a message may contain itself. */
function fieldsOf(body: Uint8Array): [name: string, value: string][] {
  const pairs = Buffer.from(body).toString("latin1").split("&").filter(Boolean);
  return pairs.map((pair) => {
    const at = pair.indexOf("=");
    return at < 0 ? [decoded(pair), ""] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
  });
}

const decoded = (text: string): string =>
  text.replaceAll("+", " ").replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Sorts by the decoded text, as Twilio's libraries do. */
function byText(one: string, other: string): number {
  const [first, second] = [textOf(one), textOf(other)];
  return first === second ? 0 : first < second ? -1 : 1;
}

const textOf = (bytes: string): string => Buffer.from(bytes, "latin1").toString();

function fieldsIn(body: Uint8Array): number {
  let count = 1;
  for (const byte of body) if (byte === 38) count += 1;
  return count;
}

function queryOf(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
}

/** Returns the URL as it is, and with and without the default port. */
function urlSpellings(url: string): string[] {
  const parts = /^(https?):\/\/([^/:?#]+)(:\d+)?([/?#].*)?$/s.exec(url);
  if (!parts) return [url];
  const [, scheme, host, , rest = ""] = parts;
  return [...new Set([url, `${scheme}://${host}${rest}`, `${scheme}://${host}:${scheme === "https" ? 443 : 80}${rest}`])];
}

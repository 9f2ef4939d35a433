import type { HmacSettings } from "#lib/contracts/sources/scheme-settings";
import type { fieldsOf } from "../payload.ts";
import type { Verification } from "../signature.ts";
import { afterPrefix, readOnce, type SchemeRequest } from "./scheme.ts";

export type Failed = Exclude<Verification, { outcome: "verified" }>;

/** No sender in a rotation has more signatures in one header. */
const MAX_CANDIDATES = 8;
/** Keys of one account that sign at once, a header each. */
const MAX_NUMBERED = 20;

const numbered = (name: string): string[] =>
  name.endsWith("{n}") ? Array.from({ length: MAX_NUMBERED }, (_, index) => `${name.slice(0, -3)}${index + 1}`) : [name];

/** Headers that may carry a signature, the usual one first. */
export const signatureHeaders = ({ header, moreHeaders = [] }: Pick<HmacSettings, "header" | "moreHeaders">): string[] =>
  header === undefined ? [] : [header, ...moreHeaders].flatMap(numbered);

/** The proof in words, where it is in no header. */
export function provenBy({ query, field }: Pick<HmacSettings, "query" | "field">): string | undefined {
  if (query !== undefined) return `the query parameter ${query}`;
  return field === undefined ? undefined : `a signature in the body, at ${field}`;
}

function queryIn(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
}

type Signatures = { candidates: Buffer[]; timestamp: string | null };

/** Reads every signature of the request, and the time beside it. @param headers those of `signatureHeaders` */
export function readSignatures(
  settings: HmacSettings,
  headers: readonly string[],
  request: Pick<SchemeRequest, "headers" | "url">,
  fieldAt: ReturnType<typeof fieldsOf>,
): Signatures | Failed {
  const found = textsIn(settings, headers, request, fieldAt);
  if ("outcome" in found) return found;
  const candidates: Buffer[] = [];
  let timestamp: string | null = null;
  for (const text of found.texts) {
    const parts = partsOf(settings, text);
    if (parts === null || parts.signatures.length > MAX_CANDIDATES) return { outcome: "signature_malformed" };
    if (timestamp !== null && parts.timestamp !== timestamp) return { outcome: "signature_malformed" };
    timestamp = parts.timestamp;
    for (const signature of parts.signatures) {
      const decoded = decode(signature, settings);
      if (decoded !== null) candidates.push(decoded);
    }
  }
  return candidates.length === 0 ? { outcome: "signature_malformed" } : { candidates, timestamp };
}

function textsIn(
  { query, field }: HmacSettings,
  names: readonly string[],
  { headers, url }: Pick<SchemeRequest, "headers" | "url">,
  fieldAt: ReturnType<typeof fieldsOf>,
): { texts: string[] } | Failed {
  if (query !== undefined) {
    const all = queryIn(url).getAll(query);
    const once = readOnce(all.length > 1 ? all : all[0]);
    return "text" in once ? { texts: [once.text] } : once;
  }
  if (field !== undefined) {
    const text = fieldAt(field);
    return text === undefined ? { outcome: "signature_missing" } : { texts: [text] };
  }
  const texts: string[] = [];
  for (const name of names) {
    const once = readOnce(headers[name]);
    if ("text" in once) texts.push(once.text);
    else if (once.outcome !== "signature_missing") return once;
  }
  return texts.length === 0 ? { outcome: "signature_missing" } : { texts };
}

/** `s{n}`: the part's name and any number. */
function isPart(name: string, part: string): boolean {
  return part.endsWith("{n}") ? name.startsWith(part.slice(0, -3)) && /^\d{1,2}$/.test(name.slice(part.length - 3)) : name === part;
}

export function partsOf(settings: HmacSettings, text: string): { signatures: string[]; timestamp: string | null } | null {
  const { format, part = "v1", prefix, timestampPart, separator = "," } = settings;
  if (format === "plain") {
    const signature = afterPrefix(text, prefix);
    return signature === null ? null : { signatures: [signature], timestamp: null };
  }
  if (format === "list")
    return {
      signatures: text.split(" ").flatMap((one) => (one.startsWith(`${part},`) ? [one.slice(part.length + 1)] : [])),
      timestamp: null,
    };
  const pairs = text.split(separator).map((pair) => pair.trim().split(/=(.*)/s));
  const times = pairs.filter(([name]) => name === timestampPart).map(([, value = ""]) => value);
  if (times.length > 1) return null; // two times: which of them was signed can't be told
  const signatures = pairs.flatMap(([name = "", value = ""]) => (isPart(name, part) ? [value] : []));
  return { signatures, timestamp: times[0] ?? null };
}

const DIGEST_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;
/** An ECDSA signature is two whole numbers in DER (RFC 3279 section 2.2.3). */
const DER_BYTES = { min: 8, max: 72 };

/** Decodes strictly, so that no extra text is overlooked. */
function decode(text: string, { encoding, method, algorithm }: HmacSettings): Buffer | null {
  const decoded = Buffer.from(text, encoding);
  const length = method === "ed25519" ? 64 : DIGEST_BYTES[algorithm];
  const fits = method === "ecdsa-p256" ? decoded.length >= DER_BYTES.min && decoded.length <= DER_BYTES.max : decoded.length === length;
  if (!fits) return null;
  const again = decoded.toString(encoding);
  return (encoding === "hex" ? text.toLowerCase() : text) === again ? decoded : null;
}

/** Writes signatures, newest first: a plain text has room for one. */
export function written(settings: HmacSettings, signatures: string[], timestamp: string): string {
  const { format, prefix, timestampPart, separator = "," } = settings;
  const part = settings.part ?? "v1";
  const nameOf = (index: number) => (part.endsWith("{n}") ? `${part.slice(0, -3)}${index}` : part);
  switch (format) {
    case "plain":
      return `${prefix}${signatures[0]}`;
    case "list":
      return signatures.map((signature) => `${part},${signature}`).join(" ");
    default:
      return [
        ...(timestampPart ? [`${timestampPart}=${timestamp}`] : []),
        ...signatures.map((one, index) => `${nameOf(index)}=${one}`),
      ].join(separator);
  }
}

import { createHmac, timingSafeEqual } from "node:crypto";
import type { HmacSettings } from "#lib/contracts/sources/scheme-settings";
import type { SignatureForm, Verification } from "../signature.ts";
import { readOnce, type Scheme, type SchemeRequest, type ToSign } from "./scheme.ts";

/** More signatures in one header than a sender in a rotation has are nobody's. */
const MAX_CANDIDATES = 8;
const DIGEST_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;

type Options = {
  /** False where the id of the request is not covered by the signature: then an old signature could be replayed under a new id. */
  idIsSigned: boolean;
  /** The sender bounds the past alone, and takes a time ahead of its own as it comes. */
  pastOnly?: boolean;
};

type Claims = { candidates: Buffer[]; timestamp: string | null; id: string | null };
type Failed = Exclude<Verification, { outcome: "verified" }>;

/**
 * A scheme of an HMAC in a header, as almost every sender has one. What is signed is cut at `{body}` before anything is
 * put in, so that no id or time can move the body; both are rejected where they hold what separates them.
 */
export function hmacScheme(settings: HmacSettings, { idIsSigned, pastOnly = false }: Options): Scheme {
  const [before = "", after = ""] = settings.content.split("{body}");
  const separators = new Set(settings.content.replaceAll(/\{[a-z]+\}/g, ""));
  const digest = (request: { body: Uint8Array; url: string }, { timestamp, id }: Pick<Claims, "timestamp" | "id">, secret: string) => {
    const fill = (text: string) => text.replaceAll(/\{(timestamp|id|url)\}/g, (_, name) => partOf(name, request.url, timestamp, id));
    return createHmac(settings.algorithm, keyOf(secret, settings.key))
      .update(fill(before))
      .update(request.body)
      .update(fill(after))
      .digest();
  };
  return {
    trust: "signed",
    headers: [settings.header, settings.timestampHeader, settings.idHeader].filter((name) => name !== undefined),
    idHeader: settings.idHeader,
    needsSecret: true,
    ...(idIsSigned && settings.toleranceSeconds !== null && { knowsLate: true as const }),
    verify(request, secrets, now) {
      const claims = readClaims(settings, separators, request);
      if ("outcome" in claims) return claims;
      for (const { id, value } of secrets) {
        if (keyOf(value, settings.key).length === 0) continue; // anybody could sign with an empty key
        const expected = digest(request, claims, value);
        if (!claims.candidates.some((given) => timingSafeEqual(given, expected))) continue;
        const age = claims.timestamp === null ? 0 : now / 1000 - Number(claims.timestamp);
        const form = formAt(age, settings.toleranceSeconds, { idIsSigned, pastOnly });
        return form ? { outcome: "verified", form, secretId: id } : { outcome: "signature_expired", secretId: id };
      }
      return { outcome: "signature_mismatch" };
    },
    sign(request) {
      const timestamp = String(Math.floor(request.now.getTime() / 1000));
      const texts = [request.secret, ...(request.older ?? [])].map((secret) =>
        digest(request, { timestamp, id: request.id }, secret).toString(settings.encoding),
      );
      return headersOf(settings, texts, timestamp, request);
    },
  };
}

/** A signature outside the tolerance is taken as late where its id can't be another's; null where it must not count. */
export function formAt(ageSeconds: number, tolerance: number | null, { idIsSigned, pastOnly = false }: Options): SignatureForm | null {
  const distance = pastOnly ? ageSeconds : Math.abs(ageSeconds);
  if (tolerance === null || distance <= tolerance) return "signed";
  return idIsSigned ? "signed_late" : null;
}

function partOf(name: string, url: string, timestamp: string | null, id: string | null): string {
  return (name === "url" ? url : name === "id" ? id : timestamp) ?? "";
}

/** Standard Webhooks 1.0, "Signature scheme": the key is what the base64 after `whsec_` stands for. */
const keyOf = (secret: string, key: HmacSettings["key"]): string | Buffer =>
  key === "text" ? secret : Buffer.from(secret.replace(/^whsec_/, ""), "base64");

/** The signatures of a request, and the time and the ID that they cover; or what is wrong with it. */
export function readClaims(settings: HmacSettings, separators: ReadonlySet<string>, { headers }: SchemeRequest): Claims | Failed {
  const header = readOnce(headers[settings.header]);
  if (!("text" in header)) return header;
  const parts = partsOf(settings, header.text);
  if (parts === null || parts.signatures.length > MAX_CANDIDATES) return { outcome: "signature_malformed" };
  const bytes = DIGEST_BYTES[settings.algorithm];
  const candidates = parts.signatures.flatMap((text) => decode(text, settings.encoding, bytes) ?? []);
  if (candidates.length === 0) return { outcome: "signature_malformed" };
  const timestamp = settings.timestampHeader ? single(headers[settings.timestampHeader]) : parts.timestamp;
  const id = settings.idHeader ? single(headers[settings.idHeader]) : null;
  const wantsTime = settings.timestampHeader !== undefined || settings.timestampPart !== undefined;
  if (wantsTime && (timestamp === null || !/^\d{1,12}$/.test(timestamp))) return { outcome: "signature_malformed" };
  const wantsId = settings.content.includes("{id}");
  if (wantsId && (id === null || id.length > 256 || [...id].some((character) => separators.has(character))))
    return { outcome: "signature_malformed" };
  return { candidates, timestamp, id };
}

/** The signatures in a header's text, and the time beside them; null where the text has another form. */
function partsOf(settings: HmacSettings, text: string): { signatures: string[]; timestamp: string | null } | null {
  const { format, part = "v1", prefix, timestampPart } = settings;
  if (format === "plain") return text.startsWith(prefix) ? { signatures: [text.slice(prefix.length)], timestamp: null } : null;
  if (format === "list")
    return {
      signatures: text.split(" ").flatMap((one) => (one.startsWith(`${part},`) ? [one.slice(part.length + 1)] : [])),
      timestamp: null,
    };
  const pairs = text.split(",").map((pair) => pair.trim().split(/=(.*)/s));
  const times = pairs.filter(([name]) => name === timestampPart).map(([, value = ""]) => value);
  if (times.length > 1) return null; // two times: which of them was signed can't be told
  return { signatures: pairs.flatMap(([name, value = ""]) => (name === part ? [value] : [])), timestamp: times[0] ?? null };
}

/** Strict: exactly the digits of a digest, so that nothing beside them is overlooked. */
function decode(text: string, encoding: HmacSettings["encoding"], bytes: number): Buffer | null {
  const decoded = Buffer.from(text, encoding);
  if (decoded.length !== bytes) return null;
  const again = decoded.toString(encoding);
  return (encoding === "hex" ? text.toLowerCase() : text) === again ? decoded : null;
}

const single = (value: string | string[] | undefined): string | null => (typeof value === "string" && value !== "" ? value : null);

/** @param signatures the newest first: a plain header has room for that one alone */
function headersOf(settings: HmacSettings, signatures: string[], timestamp: string, { id }: ToSign): Record<string, string> {
  const { header, format, part = "v1", prefix, timestampHeader, timestampPart, idHeader } = settings;
  const written = {
    plain: `${prefix}${signatures[0]}`,
    list: signatures.map((signature) => `${part},${signature}`).join(" "),
    pairs: [...(timestampPart ? [`${timestampPart}=${timestamp}`] : []), ...signatures.map((one) => `${part}=${one}`)].join(","),
  }[format];
  return {
    [header]: written,
    ...(timestampHeader && { [timestampHeader]: timestamp }),
    ...(idHeader && { [idHeader]: id }),
  };
}

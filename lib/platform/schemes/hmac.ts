import { createHmac, timingSafeEqual } from "node:crypto";
import type { HmacSettings } from "#lib/contracts/sources/scheme-settings";
import { signedSeconds } from "../event-time.ts";
import type { SignatureForm, Verification } from "../signature.ts";
import { afterPrefix, readOnce, type Scheme, type SchemeRequest, type ToSign } from "./scheme.ts";

/** No sender in a rotation has more signatures in one header. */
const MAX_CANDIDATES = 8;
const DIGEST_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;

type Options = {
  /** False if the signature does not cover the request's ID: an old one could be replayed under a new ID. */
  idIsSigned: boolean;
  /** The sender bounds only the past, and accepts a time ahead of its own. */
  pastOnly?: boolean;
};

type Claims = { candidates: Buffer[]; timestamp: string | null; id: string | null };
type Failed = Exclude<Verification, { outcome: "verified" }>;

/** Splits `content` at `{body}` before values are inserted: no ID or time can move the body. Separators in them are rejected. */
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
        if (keyOf(value, settings.key).length === 0) continue; // anyone could sign with an empty key
        const expected = digest(request, claims, value);
        if (!claims.candidates.some((given) => timingSafeEqual(given, expected))) continue;
        const age = claims.timestamp === null ? 0 : now / 1000 - signedSeconds(claims.timestamp);
        const form = formAt(age, settings.toleranceSeconds, { idIsSigned, pastOnly });
        return form ? { outcome: "verified", form, secretId: id } : { outcome: "signature_expired", secretId: id };
      }
      return { outcome: "signature_mismatch" };
    },
    sign(request) {
      const timestamp = timeAs(readClaims(settings, separators, { headers: request.received ?? {} }), request.now);
      const texts = [request.secret, ...(request.older ?? [])].map((secret) =>
        digest(request, { timestamp, id: request.id }, secret).toString(settings.encoding),
      );
      return headersOf(settings, texts, timestamp, request);
    },
  };
}

/** Writes the time in seconds, or in milliseconds if the received request had it so. */
function timeAs(received: Claims | Failed, now: Date): string {
  const inMs = "timestamp" in received && received.timestamp?.length === 13;
  return String(inMs ? now.getTime() : Math.floor(now.getTime() / 1000));
}

/** Returns `signed_late` outside the tolerance if the ID is signed; null if the signature must not count. */
export function formAt(ageSeconds: number, tolerance: number | null, { idIsSigned, pastOnly = false }: Options): SignatureForm | null {
  const distance = pastOnly ? ageSeconds : Math.abs(ageSeconds);
  if (tolerance === null || distance <= tolerance) return "signed";
  return idIsSigned ? "signed_late" : null;
}

function partOf(name: string, url: string, timestamp: string | null, id: string | null): string {
  return (name === "url" ? url : name === "id" ? id : timestamp) ?? "";
}

/** Returns the key: the decoded base64 after `whsec_` (Standard Webhooks 1.0, "Signature scheme"). */
const keyOf = (secret: string, key: HmacSettings["key"]): string | Buffer =>
  key === "text" ? secret : Buffer.from(secret.replace(/^(v1,)?whsec_/, ""), "base64");

export function readClaims(
  settings: HmacSettings,
  separators: ReadonlySet<string>,
  { headers }: Pick<SchemeRequest, "headers">,
): Claims | Failed {
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
  if (wantsTime && (timestamp === null || !/^\d{1,19}$/.test(timestamp))) return { outcome: "signature_malformed" };
  const wantsId = settings.content.includes("{id}");
  if (wantsId && (id === null || id.length > 256 || [...id].some((character) => separators.has(character))))
    return { outcome: "signature_malformed" };
  return { candidates, timestamp, id };
}

function partsOf(settings: HmacSettings, text: string): { signatures: string[]; timestamp: string | null } | null {
  const { format, part = "v1", prefix, timestampPart } = settings;
  if (format === "plain") {
    const signature = afterPrefix(text, prefix);
    return signature === null ? null : { signatures: [signature], timestamp: null };
  }
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

/** Decodes strictly: exactly the digits of a digest, so that no extra text is overlooked. */
function decode(text: string, encoding: HmacSettings["encoding"], bytes: number): Buffer | null {
  const decoded = Buffer.from(text, encoding);
  if (decoded.length !== bytes) return null;
  const again = decoded.toString(encoding);
  return (encoding === "hex" ? text.toLowerCase() : text) === again ? decoded : null;
}

const single = (value: string | string[] | undefined): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Writes the headers. `signatures`, newest first: a plain header has room for one. */
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

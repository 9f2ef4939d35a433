import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { HmacSettings } from "#lib/contracts/sources/scheme-settings";
import { fieldsOf } from "../payload.ts";
import type { SignatureForm, SigningSecret, Verification } from "../signature.ts";
import { isSigned, keyOfSecret } from "./public-key.ts";
import type { Scheme, SchemeRequest, ToSign } from "./scheme.ts";
import { type Failed, partsOf, provenBy, readSignatures, signatureHeaders, written } from "./signature-place.ts";
import {
  isOnePart,
  isPlainText,
  isTime,
  isUrlApart,
  layoutOf,
  readFields,
  type SignedParts,
  secondsOfTime,
  signedPieces,
  writeTime,
} from "./signed-content.ts";

type Options = {
  /** False if the signature does not cover the request's ID: an old one could be replayed under a new ID. */
  idIsSigned: boolean;
  /** The sender bounds only the past, and accepts a time ahead of its own. */
  pastOnly?: boolean;
};

type Claims = SignedParts & { candidates: Buffer[] };
type Layout = ReturnType<typeof layoutOf>;
/** A description with what follows from it, computed once. */
type Described = { settings: HmacSettings; layout: Layout; names: readonly string[] };

/** Makes the scheme of a described signature: an HMAC, a hash with the secret in it, or one that the sender's public key verifies. */
export function hmacScheme(settings: HmacSettings, options: Options): Scheme {
  const described = { settings, layout: layoutOf(settings), names: signatureHeaders(settings) };
  const { covers } = described.layout;
  const { method } = settings;
  const isPublic = hasPublicKey(settings);
  const isPartly = covers.length > 0;
  const words = provenBy(settings);
  return {
    trust: isPartly ? "partly" : "signed",
    headers: [...described.names, settings.timestampHeader, settings.idHeader].filter((name) => name !== undefined),
    idHeader: settings.idHeader,
    needsSecret: true,
    ...((method === "ed25519" || method === "ecdsa-p256") && { publicKey: method }),
    ...(settings.key !== "text" && { keyForm: settings.key }),
    ...(isPartly && { covers }),
    ...(words !== undefined && { provenBy: words }),
    ...(settings.query !== undefined && { proofQuery: settings.query }),
    ...(settings.field !== undefined && { signatureInBody: true as const }),
    ...((isPublic || isPartly || settings.field !== undefined || settings.timestampField !== undefined) && { costly: true as const }),
    ...((isPublic || settings.field !== undefined) && { onlySenderSigns: () => true }),
    ...(options.idIsSigned && settings.toleranceSeconds !== null && !isPartly && { knowsLate: true as const }),
    verify(request, secrets, now) {
      const claims = readClaims(described, request);
      if ("outcome" in claims) return claims;
      const secret = signerOf(described, request, claims, secrets);
      return secret === undefined ? { outcome: "signature_mismatch" } : inTime(described, claims, { id: secret.id, now, options });
    },
    explain: (request) => explain(described, request),
    sign: (request) => signedHeaders(described, request),
    ...(settings.query !== undefined && { signUrl: (request: ToSign) => signedUrl(described, request) }),
  };
}

const hasPublicKey = ({ method }: HmacSettings): boolean => method === "ed25519" || method === "ecdsa-p256";

/** Reads what the request says about its signature. Whatever could be taken for another part of the content is rejected. */
function readClaims({ settings, layout, names }: Described, request: SchemeRequest): Claims | Failed {
  const { headers, body, url } = request;
  const fieldAt = fieldsOf(body);
  const signatures = readSignatures(settings, names, request, fieldAt);
  if ("outcome" in signatures) return signatures;
  const { timestampHeader, timestampField, timestampForm, content, idHeader, method } = settings;
  const timestamp = timestampHeader
    ? single(headers[timestampHeader])
    : timestampField
      ? (fieldAt(timestampField) ?? null)
      : signatures.timestamp;
  if (content.includes("{timestamp}") && (timestamp === null || !isTime(timestamp, timestampForm)))
    return { outcome: "signature_malformed" };
  const id = idHeader ? single(headers[idHeader]) : null;
  if (idHeader !== undefined && (id === null || !isOnePart(id, layout))) return { outcome: "signature_malformed" };
  const fields = readFields(fieldAt, layout);
  if (fields === null) return { outcome: "signature_malformed" };
  if (!isUrlApart(url, body, layout) || (method === "hash" && !isPlainText(body))) return { outcome: "signature_mismatch" };
  return { candidates: signatures.candidates, timestamp, id, fields };
}

/** Returns the secret that one of the signatures was made with. */
function signerOf(described: Described, { body, url }: SchemeRequest, claims: Claims, secrets: readonly SigningSecret[]) {
  const { settings, layout } = described;
  if (!hasPublicKey(settings))
    return secrets.find(({ value }) => {
      const expected = digestOf(described, { body, url }, claims, value);
      return expected !== null && claims.candidates.some((given) => timingSafeEqual(given, expected));
    });
  const pieces = signedPieces(body, { ...claims, url }, layout);
  const content = Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)));
  const kind = settings.method === "ed25519" ? "ed25519" : "ecdsa-p256";
  return secrets.find((secret) => {
    const key = keyOfSecret(secret, kind);
    return key !== null && claims.candidates.some((given) => isSigned(content, given, key));
  });
}

/** Returns null for an empty key: anyone could sign with it. */
function digestOf(
  { settings, layout }: Described,
  { body, url }: Pick<SchemeRequest, "body" | "url">,
  parts: SignedParts,
  secret: string,
): Buffer | null {
  const { algorithm, key, method } = settings;
  const bytes = keyOf(secret, key);
  if (bytes.length === 0) return null;
  const pieces = signedPieces(body, { ...parts, url, secret }, layout);
  if (method === "hash") return pieces.reduce((hash, piece) => hash.update(piece), createHash(algorithm)).digest();
  return pieces.reduce((hash, piece) => hash.update(piece), createHmac(algorithm, bytes)).digest();
}

/** Returns the key: decoded from base64 after `whsec_` (Standard Webhooks 1.0, "Signature scheme") or from hexadecimal. */
function keyOf(secret: string, key: HmacSettings["key"]): string | Buffer {
  if (key === "text") return secret;
  return key === "hex" ? Buffer.from(secret, "hex") : Buffer.from(secret.replace(/^(v1,)?whsec_/, ""), "base64");
}

type Signer = { id: string; now: number; options: Options };

function inTime({ settings, layout }: Described, { timestamp }: Claims, { id, now, options }: Signer): Verification {
  const age = timestamp === null ? 0 : now / 1000 - secondsOfTime(timestamp, settings.timestampForm);
  const isPartly = layout.covers.length > 0;
  const form = formAt(age, settings.toleranceSeconds, isPartly ? { ...options, idIsSigned: false } : options);
  if (form === null) return { outcome: "signature_expired", secretId: id };
  return { outcome: "verified", form: isPartly ? "partly_signed" : form, secretId: id };
}

/** Returns `signed_late` outside the tolerance if the ID is signed; null if the signature must not count. */
export function formAt(ageSeconds: number, tolerance: number | null, { idIsSigned, pastOnly = false }: Options): SignatureForm | null {
  const distance = pastOnly ? ageSeconds : Math.abs(ageSeconds);
  if (tolerance === null || distance <= tolerance) return "signed";
  return idIsSigned ? "signed_late" : null;
}

/** Says why a request can't verify with any secret: text could move from one part of the content to another. */
function explain({ settings, layout }: Described, { url, body }: SchemeRequest): { verdict: string; fix: string } | null {
  if (!isUrlApart(url, body, layout))
    return {
      verdict: "It was sent to a URL with a query that can't be told from the signed content around it.",
      fix: "Give the sender the URL as Signalbox shows it, without a query.",
    };
  if (settings.method !== "hash" || isPlainText(body)) return null;
  return {
    verdict: "Its body is no text, and a plain hash proves only text.",
    fix: "Have the sender send JSON or a form that isn't compressed.",
  };
}

const single = (value: string | string[] | undefined): string | null => (typeof value === "string" && value !== "" ? value : null);

type Made = { text: string; timestamp: string };

/** Signs now, with the older secrets too where the text has room for several signatures. Null where only the sender can. */
function signatureOf(described: Described, request: ToSign): Made | null {
  const { settings, layout } = described;
  if (hasPublicKey(settings) || settings.field !== undefined) return null;
  const fieldAt = fieldsOf(request.body);
  const fields = readFields(fieldAt, layout) ?? new Map<string, string>();
  const inBody = settings.timestampField === undefined ? undefined : fieldAt(settings.timestampField);
  const timestamp = inBody ?? writeTime(request.now, settings.timestampForm, receivedTime(settings, request.received ?? {}));
  const parts = { timestamp, id: request.id, fields };
  const texts = [request.secret, ...(request.older ?? [])].map(
    (secret) => digestOf(described, request, parts, secret)?.toString(settings.encoding) ?? "",
  );
  return { text: written(settings, texts, timestamp), timestamp };
}

function receivedTime(settings: HmacSettings, received: Readonly<Record<string, string>>): string | null {
  if (settings.timestampHeader) return received[settings.timestampHeader] ?? null;
  const text = received[settings.header ?? ""];
  return text === undefined ? null : (partsOf(settings, text)?.timestamp ?? null);
}

function signedHeaders(described: Described, request: ToSign): Record<string, string> {
  const made = signatureOf(described, request);
  const [name] = described.names;
  const { timestampHeader, idHeader } = described.settings;
  if (made === null) return {};
  return {
    ...(name !== undefined && { [name]: made.text }),
    ...(timestampHeader && { [timestampHeader]: made.timestamp }),
    ...(idHeader && { [idHeader]: request.id }),
  };
}

/** Returns the URL with the signature in its query. */
function signedUrl(described: Described, request: ToSign): string {
  const { url } = request;
  const { query = "" } = described.settings;
  const [address = "", ...rest] = url.split("?");
  const others = rest
    .join("?")
    .split("&")
    .filter((pair) => pair !== "" && !pair.startsWith(`${query}=`));
  const text = encodeURIComponent(signatureOf(described, request)?.text ?? "");
  return `${address}?${[...others, `${query}=${text}`].join("&")}`;
}

import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { hmacSettings } from "#lib/contracts/sources/scheme-settings";
import { signedSeconds } from "../../event-time.ts";
import type { SigningSecret, Verification } from "../../signature.ts";
import { formAt, hmacScheme, readClaims } from "../hmac.ts";
import type { Scheme, SchemeRequest } from "../scheme.ts";

const TOLERANCE_SECONDS = 300;

/** Returns the settings of Standard Webhooks 1.0, "Signature scheme"; Svix used its own header names before. */
const settingsOf = (prefix: "webhook" | "svix") =>
  hmacSettings.parse({
    header: `${prefix}-signature`,
    format: "list",
    part: "v1",
    encoding: "base64",
    key: "base64",
    content: "{id}.{timestamp}.{body}",
    timestampHeader: `${prefix}-timestamp`,
    idHeader: `${prefix}-id`,
    toleranceSeconds: TOLERANCE_SECONDS,
  });

export const sharedKeyScheme = (prefix: "webhook" | "svix"): Scheme => hmacScheme(settingsOf(prefix), { idIsSigned: true });

const SHARED = sharedKeyScheme("webhook");
/** An Ed25519 signature is as long as a SHA-512 digest. */
const V1A = { ...settingsOf("webhook"), part: "v1a", algorithm: "sha512" as const };
const SEPARATORS = new Set(".");

const PUBLIC = "whpk_";
/** Prefix of the 32 bytes of an Ed25519 key (RFC 8410). */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

/** Standard Webhooks with a shared key (`whsec_`, v1) or the sender's public key (`whpk_`, v1a). */
export const standardWebhooksScheme: Scheme = {
  ...SHARED,
  costly: true,
  onlySenderSigns: (secret) => secret.startsWith(PUBLIC),
  verify(request, secrets, now) {
    const [published, shared] = [secrets.filter(isPublic), secrets.filter((secret) => !isPublic(secret))];
    const signed = published.length > 0 ? verifyPublished(request, published, now) : null;
    return signed === null || (shared.length > 0 && !("secretId" in signed)) ? SHARED.verify(request, shared, now) : signed;
  },
};

const isPublic = ({ value }: SigningSecret) => value.startsWith(PUBLIC);

function verifyPublished(request: SchemeRequest, secrets: readonly SigningSecret[], now: number): Verification {
  const claims = readClaims(V1A, SEPARATORS, request);
  if ("outcome" in claims) return claims;
  const content = Buffer.concat([Buffer.from(`${claims.id}.${claims.timestamp}.`), request.body]);
  for (const { id, value } of secrets) {
    const key = publicKey(value);
    if (key === null || !claims.candidates.some((given) => verify(null, content, key, given))) continue;
    const form = formAt(now / 1000 - signedSeconds(claims.timestamp ?? ""), TOLERANCE_SECONDS, { idIsSigned: true });
    return form ? { outcome: "verified", form, secretId: id } : { outcome: "signature_expired", secretId: id };
  }
  return { outcome: "signature_mismatch" };
}

export function publicKey(text: string): KeyObject | null {
  const raw = Buffer.from(text.slice(PUBLIC.length), "base64");
  return raw.length === 32 ? createPublicKey({ key: Buffer.concat([SPKI, raw]), format: "der", type: "spki" }) : null;
}

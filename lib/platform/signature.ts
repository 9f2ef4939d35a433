import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { differenceFromSigned } from "./reading/canonical-json.ts";
import { parseJson } from "./reading/payload.ts";

/** The header that carries the signature (platform-spec "Webhook signature"). */
export const SIGNATURE_HEADER = "x-webhook-signature";

/** A secret that may verify, with the id that is recorded when it does. */
export type SigningSecret = { id: string; value: string };

/**
 * Proof that verified: the platform's signature over the body as received, or over the body parsed and serialized again; another
 * sender's signature, in time or late; a token; or the network that the request came from.
 */
export type SignatureForm = "raw" | "reserialized" | "signed" | "signed_late" | "token" | "network";

export type Verification =
  /** `signed`: the text that was signed, where it is another than the bytes that came. What is read is what was signed. */
  | { outcome: "verified"; form: SignatureForm; secretId: string; signed?: string }
  | { outcome: "signature_missing" | "signature_malformed" | "signature_repeated" | "network_unknown" }
  /** `difference`: in words, how the body differs from the text of the same value that was signed. */
  | { outcome: "signature_mismatch"; difference?: string }
  /** Signed with a certificate that is not here yet. */
  | { outcome: "certificate_unknown"; url: string }
  /** Right, but its time was outside the tolerance and it could be a replay. */
  | { outcome: "signature_expired"; secretId: string };

const HEX_SHA256 = /^[0-9a-f]{64}$/i;

/**
 * Verifies a webhook's signature: hex HMAC-SHA256 over "the JSON serialization
 * of the payload" (platform-spec). Whose serialization is not said, so the raw
 * bytes are tried first and `JSON.stringify(JSON.parse(raw))` second (an
 * assumption). Comparison is in constant time; any active secret may match.
 *
 * @param body the raw bytes
 * @param header the header's value as received; an array when it came more than once
 * @param secrets the active secrets, at most two during a rotation
 */
export function verifySignature(body: Uint8Array, header: string | string[] | undefined, secrets: readonly SigningSecret[]): Verification {
  const raw = verifyRaw(body, header, secrets);
  return raw.outcome === "signature_mismatch" ? verifyReserialized(body, String(header), secrets) : raw;
}

/** The first half of `verifySignature`: the form of the header, and the raw bytes. Costs the same whatever the bytes are. */
export function verifyRaw(body: Uint8Array, header: string | string[] | undefined, secrets: readonly SigningSecret[]): Verification {
  if (header === undefined || header === "") return { outcome: "signature_missing" };
  if (Array.isArray(header)) return { outcome: "signature_repeated" };
  if (!HEX_SHA256.test(header)) return { outcome: header.includes(",") ? "signature_repeated" : "signature_malformed" };
  const match = findMatch(body, Buffer.from(header, "hex"), secrets);
  return match ? { outcome: "verified", form: "raw", secretId: match } : { outcome: "signature_mismatch" };
}

/**
 * The second half: a body whose raw bytes don't match, parsed and serialized
 * again, and that says nothing else than what was signed. Anybody can make that costly (a megabyte of keys takes a hundred times
 * the raw check), so whoever reads unauthenticated bodies bounds it.
 *
 * @param header well-formed, as `verifyRaw` found it
 */
export function verifyReserialized(body: Uint8Array, header: string, secrets: readonly SigningSecret[]): Verification {
  const again = reserialize(body);
  const match = again && findMatch(again, Buffer.from(header, "hex"), secrets);
  if (!match) return { outcome: "signature_mismatch" };
  // One captured signature is no licence for other bodies.
  const difference = differenceFromSigned(Buffer.from(body).toString(), again);
  if (difference !== null) return { outcome: "signature_mismatch", difference };
  return { outcome: "verified", form: "reserialized", secretId: match, signed: again };
}

/**
 * The signature that the platform would send.
 *
 * @returns 64 hexadecimal digits
 */
export const signBody = (body: Uint8Array, secret: string): string => createHmac("sha256", secret).update(body).digest("hex");

function findMatch(body: Uint8Array | string, given: Buffer, secrets: readonly SigningSecret[]): string | null {
  for (const secret of secrets) {
    // As text, copied into pooled memory: a digest's own buffer takes a fifth of the whole check.
    const digest = createHmac("sha256", keyOf(secret)).update(body).digest("binary");
    if (timingSafeEqual(Buffer.from(digest, "binary"), given)) return secret.id;
  }
  return null;
}

const KEYS = new WeakMap<SigningSecret, KeyObject>();

/** Returns a secret's key, made once: a receiver checks thousands of requests with it. */
function keyOf(secret: SigningSecret): KeyObject {
  const known = KEYS.get(secret);
  if (known) return known;
  const key = createSecretKey(secret.value, "utf8");
  KEYS.set(secret, key);
  return key;
}

/**
 * The body parsed and serialized again; null when it is no JSON. Deep nesting
 * can exhaust the stack of JSON.stringify: then there is no second form.
 */
export function reserialize(body: Uint8Array): string | null {
  // With doubles, as the sender has it.
  const json = parseJson(body, JSON.parse);
  if (!json.ok) return null;
  try {
    return JSON.stringify(json.value);
  } catch {
    return null;
  }
}

import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { SigningSecret } from "../signature.ts";

/** Prefix of the 32 bytes of an Ed25519 key (RFC 8410). */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

export type KeyKind = "ed25519" | "ecdsa-p256" | "rsa";

/** Reads a sender's public key as senders show it: PEM, a JWK, or the key in base64 or hexadecimal. Null unless it is of that kind. */
export function publicKeyOf(text: string, kind: KeyKind): KeyObject | null {
  try {
    const key = readKey(text.trim());
    return key !== null && kindOf(key) === kind ? key : null;
  } catch {
    return null;
  }
}

function readKey(text: string): KeyObject | null {
  if (text.startsWith("{")) return createPublicKey({ key: JSON.parse(text), format: "jwk" });
  // A field of one line takes the line breaks out of PEM.
  const bare = text.replaceAll(/-----(BEGIN|END) PUBLIC KEY-----|\s|^whpk_/g, "");
  const bytes = Buffer.from(bare, /^[0-9a-f]{64}$/i.test(bare) ? "hex" : "base64");
  if (bytes.length === 0) return null;
  return createPublicKey({ key: bytes.length === 32 ? Buffer.concat([SPKI, bytes]) : bytes, format: "der", type: "spki" });
}

function kindOf(key: KeyObject): KeyKind | null {
  if (key.type !== "public") return null;
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === "ed25519") return "ed25519";
  if (type === "ec" && details?.namedCurve === "prime256v1") return "ecdsa-p256";
  return type === "rsa" && (details?.modulusLength ?? 0) >= 2048 ? "rsa" : null;
}

const KEYS = new WeakMap<SigningSecret, KeyObject | null>();

/** Returns a secret's public key, made once: reading one takes as long as a signature. */
export function keyOfSecret(secret: SigningSecret, kind: KeyKind): KeyObject | null {
  const known = KEYS.get(secret);
  if (known !== undefined) return known;
  const key = publicKeyOf(secret.value, kind);
  KEYS.set(secret, key);
  return key;
}

/** True if the key's owner signed the content. `raw`: an ECDSA signature is its two numbers, as in a JWT, not DER. */
export function isSigned(content: Uint8Array, signature: Uint8Array, key: KeyObject, raw = false): boolean {
  const algorithm = key.asymmetricKeyType === "ed25519" ? null : "sha256";
  try {
    return verify(algorithm, content, raw ? { key, dsaEncoding: "ieee-p1363" } : key, signature);
  } catch {
    return false;
  }
}

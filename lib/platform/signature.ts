import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { endOfString } from "#lib/contracts/exact-json";
import { decimalKey } from "#lib/contracts/exact-numbers";
import type { Undecoded } from "./content-coding.ts";
import { unescaped } from "./json-text.ts";
import { parseJson } from "./payload.ts";

/** docs/platform.md, "Webhook signature". */
export const SIGNATURE_HEADER = "x-webhook-signature";

export type SigningSecret = { id: string; value: string };

/** raw, reserialized: the platform's signature. signed, signed_late: another sender's. partly_signed: over fields of the body alone. */
export type SignatureForm = "raw" | "reserialized" | "signed" | "signed_late" | "partly_signed" | "token" | "network";

/** `undecoded`: the body is in a content coding that can't be undone. */
export type Verification = Verdict & { undecoded?: Undecoded };

type Verdict =
  /** `signed`: the signed text, or the decoded body, if it differs from the received bytes. It is what is read. `refetch`: URL of keys that are old. */
  | { outcome: "verified"; form: SignatureForm; secretId: string; signed?: Uint8Array; refetch?: string }
  | { outcome: "signature_missing" | "signature_malformed" | "signature_repeated" | "network_unknown" }
  /** `difference`: how the body differs from the signed text of the same value. */
  | { outcome: "signature_mismatch"; difference?: string }
  /** The certificate is not stored yet. */
  | { outcome: "certificate_unknown"; url: string }
  /** Valid, but outside the tolerance: it could be a replay. */
  | { outcome: "signature_expired"; secretId: string };

const HEX_SHA256 = /^[0-9a-f]{64}$/i;

/**
 * Verifies hex HMAC-SHA256 over "the JSON serialization of the payload" (docs/platform.md). ASSUMPTION: the raw bytes, else
 * `JSON.stringify(JSON.parse(raw))`. Constant time; any active secret may match.
 */
export function verifySignature(body: Uint8Array, header: string | string[] | undefined, secrets: readonly SigningSecret[]): Verification {
  const raw = verifyRaw(body, header, secrets);
  return raw.outcome === "signature_mismatch" ? verifyReserialized(body, String(header), secrets) : raw;
}

/** Verifies the raw bytes only. Costs the same for any bytes. */
export function verifyRaw(body: Uint8Array, header: string | string[] | undefined, secrets: readonly SigningSecret[]): Verification {
  if (header === undefined || header === "") return { outcome: "signature_missing" };
  if (Array.isArray(header)) return { outcome: "signature_repeated" };
  if (!HEX_SHA256.test(header)) return { outcome: header.includes(",") ? "signature_repeated" : "signature_malformed" };
  const match = findMatch(body, Buffer.from(header, "hex"), secrets);
  return match ? { outcome: "verified", form: "raw", secretId: match } : { outcome: "signature_mismatch" };
}

/**
 * Verifies the re-serialized body. Anyone can make this costly (a megabyte of keys takes a hundred times the raw check), so readers of
 * unauthenticated bodies bound it. `header` has passed `verifyRaw`.
 */
export function verifyReserialized(body: Uint8Array, header: string, secrets: readonly SigningSecret[]): Verification {
  const again = reserialize(body);
  const match = again && findMatch(again, Buffer.from(header, "hex"), secrets);
  if (!match) return { outcome: "signature_mismatch" };
  // One captured signature must not verify other bodies.
  const difference = differenceFromSigned(Buffer.from(body).toString(), again);
  if (difference !== null) return { outcome: "signature_mismatch", difference };
  return { outcome: "verified", form: "reserialized", secretId: match, signed: Buffer.from(again) };
}

/** Returns the platform's signature: 64 hexadecimal digits. */
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

/** Returns null if it is no JSON, or nested so deep that it exhausts the stack of JSON.stringify. */
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

/** Growth allowed over the canonical text: indentation, escaped characters. */
const MAX_FACTOR = 2;
const MAX_EXTRA_BYTES = 1024;

const MAX_QUOTED = 40;

/**
 * Returns what `text` says beyond `canonical` (`JSON.stringify(JSON.parse(text))`); null if every reader reads the same: no duplicate keys
 * (readers take the first or the last), equal decimal values (a double has 17 digits), at most twice as long plus 1 kB.
 */
export function differenceFromSigned(text: string, canonical: string): string | null {
  const [bytes, signedBytes] = [Buffer.byteLength(text), Buffer.byteLength(canonical)];
  if (bytes > MAX_FACTOR * signedBytes + MAX_EXTRA_BYTES)
    return `it has ${bytes} bytes where ${signedBytes} were signed (at most twice as many and 1 kB are accepted)`;
  const keys: (Set<string> | null)[] = [];
  let isKeyNext = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === "{" || character === "[") keys.push(character === "{" ? new Set() : null);
    if (character === "}" || character === "]") keys.pop();
    if (character === "{" || character === ",") isKeyNext = keys.at(-1) instanceof Set;
    if (character === '"') {
      const end = endOfString(text, at);
      const key = isKeyNext ? text.slice(at, end) : null;
      if (key !== null && !isNew(keys.at(-1), unescaped(key))) return `the key ${quoted(key)} stands twice in one object`;
      isKeyNext = false;
      at = end - 1;
    } else if (character === "-" || (character >= "0" && character <= "9")) {
      const [number = ""] = numberAt(text, at);
      if (!isExact(number)) return `the number ${quoted(number)} is another than the one that was signed`;
      at += number.length - 1;
    }
  }
  return null;
}

const quoted = (text: string) => (text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);

function isNew(keys: Set<string> | null | undefined, key: string | null): boolean {
  if (!keys || key === null || keys.has(key)) return false;
  keys.add(key);
  return true;
}

function numberAt(text: string, at: number): RegExpExecArray | [] {
  const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  number.lastIndex = at;
  return number.exec(text) ?? [];
}

/** True if a double holds a number's decimal value, as `JSON.stringify` writes it. */
function isExact(number: string): boolean {
  const again = String(Number(number));
  return number === again || decimalKey(number) === decimalKey(again);
}

/** Replaces a header that held the signing secret itself. */
export const SECRET_NOT_KEPT = "[the signing secret itself: not kept]";

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { isObject } from "#lib/contracts/exact-json";
import { doubleOf } from "#lib/contracts/exact-numbers";
import type { JwtSettings } from "#lib/contracts/sources/scheme-settings";
import { parseJson } from "../payload.ts";
import type { SigningSecret, Verification } from "../signature.ts";
import { isSigned, type KeyKind, keyOfSecret } from "./public-key.ts";
import { afterPrefix, readOnce, type Scheme, type SchemeRequest, type ToSign } from "./scheme.ts";

type Algorithm = JwtSettings["algorithm"];
type Failed = Exclude<Verification, { outcome: "verified" }>;
type Token = { kid: string | null; claims: Record<string, unknown>; payload: Buffer; signed: Buffer; signature: Buffer };

const KINDS: Record<Exclude<Algorithm, "HS256">, KeyKind> = { RS256: "rsa", ES256: "ecdsa-p256", EdDSA: "ed25519" };

/** A token that is the body may be as large as an event; one in a header is bounded by the server. */
const COMPACT = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;

/**
 * Verifies a signed JSON Web Token (RFC 7515, compact form) by the one algorithm of the settings. Its key is the source's secret, or one of
 * the sender's JWKS: those are the source's secrets, each `url\ntime of the fetch\nkeys`.
 */
export function jwtScheme(settings: JwtSettings): Scheme {
  const { header, bodyClaim, algorithm, jwks } = settings;
  const isToken = header !== undefined && bodyClaim === undefined;
  return {
    trust: isToken ? "token" : "signed",
    headers: header === undefined ? [] : [header],
    ...(isToken && { secretHeader: header }),
    ...(header === undefined && { provenBy: "a signed token as its body", unwrap: payloadOf }),
    costly: true,
    needsSecret: jwks === undefined,
    ...(jwks === undefined && algorithm !== "HS256" && { publicKey: KINDS[algorithm] }),
    ...((algorithm !== "HS256" || header === undefined) && { onlySenderSigns: () => true }),
    verify(request, secrets, now) {
      const token = tokenIn(settings, request);
      if ("outcome" in token) return token;
      const signer = jwks === undefined ? signerOf(token, settings, secrets) : signerOfSet(token, settings, secrets, { jwks, now });
      if ("outcome" in signer) return signer;
      if (!isForUs(token, settings, request)) return { outcome: "signature_mismatch" };
      if (!isInTime(token, settings, now)) return { outcome: "signature_expired", secretId: signer.id };
      return {
        outcome: "verified",
        form: isToken ? "token" : "signed",
        secretId: signer.id,
        ...(header === undefined && { signed: token.payload }),
        ...(signer.refetch !== undefined && { refetch: signer.refetch }),
      };
    },
    sign: (request) => signedHeader(settings, request),
  };
}

function tokenIn(settings: JwtSettings, { headers, body }: SchemeRequest): Token | Failed {
  const { header, prefix = "", algorithm } = settings;
  const once = header === undefined ? readOnce(Buffer.from(body).toString("latin1").trim()) : readOnce(headers[header]);
  if (!("text" in once)) return once;
  const text = afterPrefix(once.text, prefix);
  const token = text === null ? null : readToken(text, algorithm);
  return token ?? { outcome: "signature_malformed" };
}

/** Returns null unless it names the algorithm: a key is never used for another one. */
function readToken(text: string, algorithm: Algorithm): Token | null {
  const [, head = "", payload = "", mark = ""] = COMPACT.exec(text) ?? [];
  const [headBytes, payloadBytes, signature] = [head, payload, mark].map(decode);
  if (!headBytes || !payloadBytes || !signature) return null;
  const [header, claims] = [parseJson(headBytes), parseJson(payloadBytes)];
  if (!header.ok || !claims.ok || !isObject(header.value) || !isObject(claims.value)) return null;
  const { alg, kid, crit } = header.value;
  if (alg !== algorithm || crit !== undefined) return null;
  const signed = Buffer.from(`${head}.${payload}`);
  return { kid: typeof kid === "string" ? kid : null, claims: claims.value, payload: payloadBytes, signed, signature };
}

/** Decodes strictly: one text for the same bytes. */
function decode(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64url");
  return bytes.length > 0 && bytes.toString("base64url") === text ? bytes : null;
}

const payloadOf = (body: Uint8Array): Buffer | null => decode(COMPACT.exec(Buffer.from(body).toString("latin1").trim())?.[2] ?? "");

type Signer = { id: string; refetch?: string };
const MISMATCH = { outcome: "signature_mismatch" } as const;

function signerOf(token: Token, { algorithm }: JwtSettings, secrets: readonly SigningSecret[]): Signer | Failed {
  const signer = secrets.find((secret) => isSignedBy(token, algorithm, secret));
  return signer === undefined ? MISMATCH : { id: signer.id };
}

function isSignedBy({ signed, signature }: Token, algorithm: Algorithm, secret: SigningSecret): boolean {
  if (algorithm === "HS256") {
    const expected = createHmac("sha256", secret.value).update(signed).digest();
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  }
  const key = keyOfSecret(secret, KINDS[algorithm]);
  return key !== null && isSigned(signed, signature, key, algorithm === "ES256");
}

/** A set is fetched again for an unknown key no sooner: anyone can make up the name of a key. */
const FRESH_MS = 300_000;
/** Then it is fetched again beside its use. */
const OLD_MS = 3_600_000;

type Fetching = { jwks: string; now: number };

/** Returns the newest set's key that signed, or has the set fetched. */
function signerOfSet(token: Token, settings: JwtSettings, secrets: readonly SigningSecret[], { jwks, now }: Fetching): Signer | Failed {
  const [set] = secrets.flatMap((secret) => setIn(secret, jwks) ?? []).sort((one, other) => other.fetchedAt - one.fetchedAt);
  const age = now - (set?.fetchedAt ?? 0);
  const named = set?.keys.filter(({ kid }) => kid === null || token.kid === null || kid === token.kid) ?? [];
  if (set !== undefined && named.some(({ secret }) => isSignedBy(token, settings.algorithm, secret)))
    return { id: set.id, ...(age > OLD_MS && { refetch: jwks }) };
  return named.length > 0 || age < FRESH_MS ? MISMATCH : { outcome: "certificate_unknown", url: jwks };
}

type KeySet = { id: string; fetchedAt: number; keys: { kid: string | null; secret: SigningSecret }[] };
const MAX_KEYS = 20;
const SETS = new WeakMap<SigningSecret, KeySet>();

function setIn(secret: SigningSecret, url: string): KeySet | null {
  const known = SETS.get(secret);
  if (known) return known;
  const [from, time, ...rest] = secret.value.split("\n");
  if (from !== url) return null;
  const keys = keysIn(rest.join("\n")).map(({ kid, jwk }) => ({ kid, secret: { id: secret.id, value: jwk } }));
  const read = { id: secret.id, fetchedAt: Number(time), keys };
  SETS.set(secret, read);
  return read;
}

/** Reads the keys of a JWKS (RFC 7517) that may sign; none of what is no set. */
function keysIn(text: string): { kid: string | null; jwk: string }[] {
  const json = parseJson(Buffer.from(text), JSON.parse);
  const keys = json.ok && isObject(json.value) && Array.isArray(json.value.keys) ? json.value.keys.slice(0, MAX_KEYS) : [];
  return keys.flatMap((key: unknown) =>
    isObject(key) && (key.use === undefined || key.use === "sig")
      ? [{ kid: typeof key.kid === "string" ? key.kid : null, jwk: JSON.stringify(key) }]
      : [],
  );
}

/** The text to keep of a fetched set. @throws Error if it holds no key */
export function keySetText(url: string, text: string, now: Date): string {
  const keys = keysIn(text);
  if (keys.length === 0) throw new Error("returned no set of keys");
  return `${url}\n${now.getTime()}\n${JSON.stringify({ keys: keys.map(({ jwk }) => JSON.parse(jwk)) })}`;
}

/** True if issuer, audience and the digest of the body are what the settings say. */
function isForUs({ claims }: Token, { issuer, audience, bodyClaim, bodyEncoding = "hex" }: JwtSettings, { body }: SchemeRequest): boolean {
  if (issuer !== undefined && claims.iss !== issuer) return false;
  if (audience !== undefined && ![claims.aud].flat().includes(audience)) return false;
  if (bodyClaim === undefined) return true;
  const said = claims[bodyClaim];
  const is = createHash("sha256").update(body).digest(bodyEncoding);
  return typeof said === "string" && said.length === is.length && timingSafeEqual(Buffer.from(said), Buffer.from(is));
}

/** A token without the time that a bound needs counts as too old. */
function isInTime({ claims }: Token, { toleranceSeconds }: JwtSettings, now: number): boolean {
  const [iat, exp, nbf] = [claims.iat, claims.exp, claims.nbf].map((time) => doubleOf(time));
  const seconds = now / 1000;
  if (exp !== undefined && seconds >= exp) return false;
  if (nbf !== undefined && seconds < nbf - (toleranceSeconds ?? 0)) return false;
  return toleranceSeconds === null || (iat !== undefined && Math.abs(seconds - iat) <= toleranceSeconds);
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function signedHeader(settings: JwtSettings, { body, secret, now }: ToSign): Record<string, string> {
  const { header, prefix = "", algorithm, bodyClaim, bodyEncoding = "hex", issuer, audience } = settings;
  if (header === undefined || algorithm !== "HS256") return {};
  const claims = {
    iat: Math.floor(now.getTime() / 1000),
    ...(issuer !== undefined && { iss: issuer }),
    ...(audience !== undefined && { aud: audience }),
    ...(bodyClaim !== undefined && { [bodyClaim]: createHash("sha256").update(body).digest(bodyEncoding) }),
  };
  const signed = `${encode({ alg: algorithm, typ: "JWT" })}.${encode(claims)}`;
  return { [header]: `${prefix}${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}` };
}

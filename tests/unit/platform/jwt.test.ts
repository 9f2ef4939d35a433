import { createHash, generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { type JwtSettings, jwtSettings } from "#lib/contracts/sources/scheme-settings";
import { jwtScheme, keySetText } from "#lib/platform/schemes/jwt";

const NOW = Date.UTC(2026, 10, 23, 12);
const IAT = NOW / 1000;
const BODY = Buffer.from('{"webhook_code":"SYNC_UPDATES_AVAILABLE","item_id":"1"}');
const sha256 = createHash("sha256").update(BODY).digest("hex");
const key = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = String(key.publicKey.export({ format: "pem", type: "spki" }));

/** Signed by jose, as Plaid's and Kinde's libraries do. */
const signed = (
  claims: Record<string, unknown>,
  { alg = "ES256", kid = "k1", iat = IAT, by = key.privateKey as Parameters<SignJWT["sign"]>[0] } = {},
) => new SignJWT(claims).setProtectedHeader({ alg, kid, typ: "JWT" }).setIssuedAt(iat).sign(by);

const PLAID = jwtSettings.parse({ header: "plaid-verification", algorithm: "ES256", bodyClaim: "request_body_sha256" });
const verify = (
  token: string,
  { settings = PLAID, body = BODY, value = pem, now = NOW }: { settings?: JwtSettings; body?: Buffer; value?: string; now?: number } = {},
) => {
  const inHeader = settings.header !== undefined;
  const request = {
    body: inHeader ? body : Buffer.from(token),
    headers: inHeader ? { [settings.header ?? ""]: token } : {},
    url: "",
    remoteAddress: null,
  };
  return jwtScheme(settings).verify(request, value === "" ? [] : [{ id: "sec_1", value }], now);
};

describe("a token with a digest of the body, as Plaid's", () => {
  it("verifies by the sender's key, and no other body does", async () => {
    const token = await signed({ request_body_sha256: sha256 });
    expect(verify(token)).toEqual({ outcome: "verified", form: "signed", secretId: "sec_1" });
    expect(verify(token, { body: Buffer.from("{}") }).outcome).toBe("signature_mismatch");
  });

  it("has one spelling: another last character that stands for the same bytes is another token", async () => {
    const token = await signed({ request_body_sha256: sha256 });
    const bytes = (text: string) => Buffer.from(text.split(".")[2] ?? "", "base64url").toString("hex");
    const others = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].map((last) => token.slice(0, -1) + last);
    const same = others.filter((other) => other !== token && bytes(other) === bytes(token));
    expect(same.length).toBeGreaterThan(0);
    for (const other of same) expect(verify(other).outcome).toBe("signature_malformed");
  });

  it("is of one algorithm: none, or the public key as a shared secret, verify nothing", async () => {
    const none = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ iat: IAT, request_body_sha256: sha256 }))}.`.replaceAll("=", "");
    expect(verify(none).outcome).toBe("signature_malformed");
    const confused = await signed({ request_body_sha256: sha256 }, { alg: "HS256", by: new TextEncoder().encode(pem) });
    expect(verify(confused).outcome).toBe("signature_malformed");
    expect(verify("a.b.c").outcome).toBe("signature_malformed");
    expect(verify("").outcome).toBe("signature_missing");
  });

  it("is too old after five minutes, and after its own end", async () => {
    const token = await signed({ request_body_sha256: sha256 });
    expect(verify(token, { now: NOW + 299_000 }).outcome).toBe("verified");
    expect(verify(token, { now: NOW + 301_000 }).outcome).toBe("signature_expired");
    const ended = await new SignJWT({ request_body_sha256: sha256 })
      .setProtectedHeader({ alg: "ES256" })
      .setIssuedAt(IAT)
      .setExpirationTime(IAT + 10)
      .sign(key.privateKey);
    expect(verify(ended, { now: NOW + 11_000 }).outcome).toBe("signature_expired");
    const timeless = await new SignJWT({ request_body_sha256: sha256 }).setProtectedHeader({ alg: "ES256" }).sign(key.privateKey);
    expect(verify(timeless).outcome).toBe("signature_expired");
  });

  it("names issuer and audience where the settings do", async () => {
    const settings = { ...PLAID, issuer: "https://sender.example", audience: "acme" };
    const good = await signed({ request_body_sha256: sha256, iss: "https://sender.example", aud: ["acme", "b"] });
    expect(verify(good, { settings }).outcome).toBe("verified");
    const other = await signed({ request_body_sha256: sha256, iss: "https://other.example", aud: "acme" });
    expect(verify(other, { settings }).outcome).toBe("signature_mismatch");
  });
});

describe("a token that is the body, as Kinde's", () => {
  const JWKS = "https://acme.kinde.com/.well-known/jwks";
  const settings = jwtSettings.parse({ algorithm: "RS256", jwks: JWKS });
  const jwk = (kid: string, from = rsa.publicKey) => ({ ...from.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" });
  const setOf = (fetchedAt: number, ...keys: object[]) => keySetText(JWKS, JSON.stringify({ keys }), new Date(fetchedAt));
  const event = { type: "user.created", event_id: "event_1", data: { user: { id: "kp_1" } } };
  const token = (kid = "k1") => signed(event, { alg: "RS256", kid, by: rsa.privateKey });

  it("verifies by the sender's published keys; what it says is what is read", async () => {
    const verified = verify(await token(), { settings, value: setOf(NOW, jwk("k1")) });
    expect(verified).toMatchObject({ outcome: "verified", form: "signed" });
    if (verified.outcome !== "verified") return;
    expect(JSON.parse(Buffer.from(verified.signed ?? []).toString())).toMatchObject(event);
    expect(jwtScheme(settings).needsSecret).toBe(false);
  });

  it("has the keys fetched when they are missing, at the settings' URL alone, and not for each key that a stranger makes up", async () => {
    expect(verify(await token(), { settings, value: "" })).toEqual({ outcome: "certificate_unknown", url: JWKS });
    const held = setOf(NOW, jwk("k1"));
    expect(verify(await token("made-up"), { settings, value: held, now: NOW + 60_000 }).outcome).toBe("signature_mismatch");
    expect(verify(await token("rotated"), { settings: { ...settings, toleranceSeconds: null }, value: held, now: NOW + 301_000 })).toEqual({
      outcome: "certificate_unknown",
      url: JWKS,
    });
    const foreign = held.replace(JWKS, "https://evil.example/jwks");
    expect(verify(await token(), { settings, value: foreign }).outcome).toBe("certificate_unknown");
  });

  it("has old keys fetched again beside their use, so that a withdrawn one doesn't count for long", async () => {
    const old = verify(await token(), {
      settings: { ...settings, toleranceSeconds: null },
      value: setOf(NOW, jwk("k1")),
      now: NOW + 3_700_000,
    });
    expect(old).toMatchObject({ outcome: "verified", refetch: JWKS });
  });

  it("of another signer, or of a key of another kind, verifies nothing", async () => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const value = setOf(NOW, jwk("k1", other.publicKey), { ...key.publicKey.export({ format: "jwk" }), kid: "k1" });
    expect(verify(await token(), { settings, value }).outcome).toBe("signature_mismatch");
    expect(() => keySetText(JWKS, "<html>", new Date(NOW))).toThrow("no set of keys");
  });
});

it("a token in a header that says nothing about the body is a token", async () => {
  const settings = jwtSettings.parse({ header: "authorization", prefix: "Bearer ", algorithm: "HS256" });
  const token = await signed({}, { alg: "HS256", by: new TextEncoder().encode("a-shared-secret") });
  expect(verify(`Bearer ${token}`, { settings, value: "a-shared-secret" })).toMatchObject({ outcome: "verified", form: "token" });
  expect(jwtScheme(settings)).toMatchObject({ trust: "token", secretHeader: "authorization" });
});

import { generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hmacSettings } from "#lib/contracts/sources/scheme-settings";
import { type KnownTemplate, SOURCE_TEMPLATES } from "#lib/contracts/sources/templates";
import type { Scheme, SchemeRequest } from "#lib/platform/schemes/scheme";
import { schemeOf } from "#lib/platform/schemes/templates";
import { isNetwork } from "#lib/platform/schemes/unsigned-schemes";
import { NOW, SENDERS, type Sender, URL_SIGNED, WHSEC } from "#tests/support/senders";
import { FORMS } from "#tests/support/signature-forms";
import { type SignedPlaces, tampered } from "#tests/support/tampered";

const now = new Date(NOW);

const secretsOf = ({ secret }: Pick<Sender, "secret">) => [
  { id: "sec_other", value: "another-secret-that-is-valid-too" },
  { id: "sec_1", value: secret },
];
const requestOf = (sender: Sender, headers: Record<string, string>, over: Partial<SchemeRequest> = {}): SchemeRequest => ({
  body: Buffer.from(sender.body),
  headers: { ...sender.also, ...headers },
  url: sender.url ?? URL_SIGNED,
  remoteAddress: sender.remoteAddress ?? "203.0.113.9",
  ...over,
});

/** Whose own signature depends on an ID that ours chooses or names its user, or is written another way. */
const OTHER_WORDS = new Set<KnownTemplate>([
  ...["gitlab", "basic", "docparser", "postmark", "opsgenie"],
  ...["box", "boldsign", "workos", "zendesk", "monday"],
] as KnownTemplate[]);

type Subject = SignedPlaces & { scheme: Scheme; secret: string; request: SchemeRequest; id: string; own?: Record<string, string> };

const SUBJECTS: [name: string, Subject][] = [
  ...SOURCE_TEMPLATES.map((template): [string, Subject] => {
    const sender = SENDERS[template];
    const request = requestOf(sender, sender.signedByThem);
    const own = OTHER_WORDS.has(template) ? {} : sender.signedByThem;
    const headers = Object.keys(sender.signedByThem);
    return [template, { scheme: schemeOf(template, sender.settings ?? {}), secret: sender.secret, request, headers, id: "msg_1", own }];
  }),
  ...Object.entries(FORMS).map(([name, { settings, request, id = "", ...form }]): [string, Subject] => {
    const scheme = schemeOf("hmac", { hmac: hmacSettings.parse(settings) });
    return [`described as ${name}`, { ...form, scheme, request: { ...request, remoteAddress: null }, id }];
  }),
];

describe.each(SUBJECTS)("%s", (name, { scheme, secret, request, id, own = {}, ...places }) => {
  const verify = (over: Partial<SchemeRequest> = {}) => scheme.verify({ ...request, ...over }, secretsOf({ secret }), NOW);
  const signs = name === "platform" ? "raw" : "signed";
  const form = { signed: signs, partly: "partly_signed", token: "token", network: "network" }[scheme.trust];

  it("takes what the sender signed", () => {
    expect(verify()).toMatchObject({ outcome: "verified", form, ...(scheme.needsSecret && { secretId: "sec_1" }) });
  });

  it.skipIf(scheme.onlySenderSigns?.(secret) || scheme.signatureInBody)("signs as the sender does, and takes it itself", () => {
    const toSign = { body: Buffer.from(request.body), secret, url: request.url, id, now };
    const headers = scheme.sign(toSign);
    const signed = { headers: { ...request.headers, ...headers }, url: scheme.signUrl?.(toSign) ?? request.url };
    expect(verify(signed)).toMatchObject({ outcome: "verified" });
    expect(headers).toMatchObject(own);
  });

  it.runIf(scheme.trust === "signed" || places.texts)("takes none of 183 requests with one character changed where it is signed", () => {
    const { body, headers, url } = request;
    for (let n = 0; n < 183; n += 1) {
      const changed = tampered({ body: Buffer.from(body), headers: headers as Record<string, string>, url }, n, places);
      expect(verify(changed), `tampered request ${n}`).not.toMatchObject({ outcome: "verified" });
    }
  });

  it("rejects a request without its proof, and never throws for a strange header", () => {
    const bare = { headers: {}, url: request.url.split("?")[0] ?? "", body: Buffer.from("{}") };
    if (scheme.trust === "signed" || scheme.trust === "partly") expect(verify(bare).outcome).toMatch(/^signature_(missing|malformed)$/);
    if (scheme.headers.length === 0) return;
    expect(verify({ headers: {} })).toEqual({ outcome: "signature_missing" });
    for (const value of [
      "",
      " ",
      "=",
      ",",
      "t=,v1=",
      "v1,",
      "v1, v1,",
      "sha256=",
      "\u0000",
      "é".repeat(2000),
      "v1,".repeat(500),
      "t=1,t=2,v1=00",
    ])
      for (const header of scheme.headers) expect(verify({ headers: { [header]: value } }).outcome).not.toBe("verified");
    const repeated = Object.fromEntries(scheme.headers.map((header) => [header, ["a", "b"]]));
    expect(verify({ headers: repeated }).outcome).toBe("signature_repeated");
  });
});

describe("the senders' own documents", () => {
  it("GitHub's example verifies", () => {
    const headers = { "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17" };
    const request = { ...requestOf(SENDERS.github, headers), body: Buffer.from("Hello, World!") };
    expect(schemeOf("github", {}).verify(request, secretsOf(SENDERS.github), NOW)).toMatchObject({
      outcome: "verified",
      secretId: "sec_1",
    });
  });

  it("Slack's example verifies", () => {
    const body =
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    const headers = {
      "x-slack-request-timestamp": "1531420618",
      "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    };
    const secrets = [{ id: "sec_1", value: "8f742231b10e8888abcd99yyyzzz85a5" }];
    const request = { ...requestOf(SENDERS.slack, headers), body: Buffer.from(body) };
    expect(schemeOf("slack", {}).verify(request, secrets, 1_531_420_618_000)).toMatchObject({ outcome: "verified", form: "signed" });
  });

  it("Twilio's JSON requests verify by the digest in the URL", () => {
    const sha = "0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620";
    const url = `https://example.com/myapp.php?foo=1&bar=2&bodySHA256=${sha}`;
    const signature = "iussOGD7AhyLBoke2HWKdoKHq/Q="; // made by Twilio's library: tests/deep/senders
    const verify = (body: string) =>
      schemeOf("twilio", {}).verify(
        { body: Buffer.from(body), headers: { "x-twilio-signature": signature }, url, remoteAddress: null },
        [{ id: "sec_1", value: "token" }],
        NOW,
      ).outcome;
    const body = '{"property": "value", "boolean": true}';
    expect(verify(body)).toBe("verified");
    expect(verify(`${body} `)).toBe("signature_mismatch");
  });
});

describe("time", () => {
  const verifyAt = (template: KnownTemplate, ms: number) => {
    const sender = SENDERS[template];
    const scheme = schemeOf(template, sender.settings ?? {});
    const headers = scheme.sign({ body: Buffer.from(sender.body), secret: sender.secret, url: URL_SIGNED, id: "msg_1", now });
    const result = scheme.verify(requestOf(sender, headers), secretsOf(sender), ms);
    return result.outcome === "verified" ? result.form : result.outcome;
  };

  it("a late signature is marked where its ID is signed, too: what came before is a duplicate", () => {
    expect(verifyAt("stripe", NOW + 299_000)).toBe("signed");
    expect(verifyAt("stripe", NOW + 600_000)).toBe("signed_late");
    expect(verifyAt("standard-webhooks", NOW + 301_000)).toBe("signed_late");
    expect(verifyAt("standard-webhooks", NOW - 301_000)).toBe("signed_late");
    expect(verifyAt("slack", NOW + 301_000)).toBe("signed_late");
    expect(verifyAt("workos", NOW + 179_000)).toBe("signed");
    expect(verifyAt("workos", NOW + 181_000)).toBe("signed_late");
    expect(verifyAt("paddle", NOW + 301_000)).toBe("signed_late");
  });

  it("it is rejected where a stranger could send it again under another ID", () => {
    expect(verifyAt("linear", NOW + 59_000)).toBe("signed");
    expect(verifyAt("linear", NOW + 61_000)).toBe("signature_expired");
    expect(verifyAt("hmac", NOW + 61_000)).toBe("signature_expired");
  });
});

it("any signature of a list may be the right one, as in a rotation", () => {
  const scheme = schemeOf("standard-webhooks", {});
  const body = Buffer.from("{}");
  const headers = scheme.sign({ body, secret: WHSEC, url: "", id: "msg_1", now });
  const list = `v1,${"A".repeat(43)}= v1a,other ${headers["webhook-signature"]}`;
  const verify = (text: string) =>
    scheme.verify(
      { body, headers: { ...headers, "webhook-signature": text }, url: "", remoteAddress: null },
      [{ id: "sec_1", value: WHSEC }],
      NOW,
    ).outcome;
  expect(verify(list)).toBe("verified");
  expect(verify(`${`v1,${"A".repeat(43)}= `.repeat(8)}${headers["webhook-signature"]}`)).toBe("signature_malformed");
});

it("an ID with the template's separator is rejected: it would move what is signed", () => {
  const scheme = schemeOf("standard-webhooks", {});
  const body = Buffer.from(`${NOW / 1000}.{}`);
  // "msg" + "." + "1.2" would be signed like "msg.1" + "." + "2".
  const headers = scheme.sign({ body, secret: WHSEC, url: "", id: "msg.1", now });
  expect(scheme.verify({ body, headers, url: "", remoteAddress: null }, [{ id: "sec_1", value: WHSEC }], NOW).outcome).toBe(
    "signature_malformed",
  );
});

it("a form of Twilio's is verified by its bytes: U+FFFD in a message is a character, and no other byte passes for it", () => {
  const body = "MessageSid=SM1&Body=%EF%BF%BD+unreadable&SmsStatus=received";
  const headers = { "x-twilio-signature": "av1SqZedqHPMWOMRsbSAZr7Gx/E=" }; // made by Twilio's library: tests/deep/senders
  const verify = (sent: string) =>
    schemeOf("twilio", {}).verify(requestOf(SENDERS.twilio, headers, { body: Buffer.from(sent) }), secretsOf(SENDERS.twilio), NOW).outcome;
  expect(verify(body)).toBe("verified");
  expect(verify(body.replace("%EF%BF%BD", "%FF"))).toBe("signature_mismatch");
});

describe("a public key of Standard Webhooks (v1a)", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const whpk = `whpk_${publicKey.export({ format: "der", type: "spki" }).subarray(12).toString("base64")}`;
  const secrets = [{ id: "sec_1", value: whpk }];
  const scheme = schemeOf("standard-webhooks", {});
  const body = Buffer.from('{"type":"a.b","data":{}}');
  const signatureOf = (content: string) => `v1a,${sign(null, Buffer.from(content), privateKey).toString("base64")}`;
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(NOW / 1000),
    "webhook-signature": signatureOf(`msg_1.${NOW / 1000}.${body}`),
  };
  const verify = (over: Partial<typeof headers> = {}, at = NOW, sent: Buffer = body, valid = secrets) =>
    scheme.verify({ body: sent, headers: { ...headers, ...over }, url: "", remoteAddress: null }, valid, at);

  it("verifies what its private key signed, beside a shared key, and marks what is late", () => {
    expect(verify()).toEqual({ outcome: "verified", form: "signed", secretId: "sec_1" });
    expect(verify({}, NOW + 301_000)).toMatchObject({ form: "signed_late" });
    const both = [{ id: "sec_2", value: WHSEC }, ...secrets];
    expect(verify({}, NOW, body, both)).toMatchObject({ outcome: "verified", secretId: "sec_1" });
    const shared = scheme.sign({ body, secret: WHSEC, url: "", id: "msg_1", now });
    expect(verify(shared, NOW, body, both)).toMatchObject({ outcome: "verified", secretId: "sec_2" });
  });

  it("takes none of 183 changed requests, and no shared signature made with the public key", () => {
    for (let n = 0; n < 183; n += 1) {
      const changed = Buffer.from(body);
      changed[n % body.length] = (changed[n % body.length] ?? 0) ^ (1 + (n % 7));
      const text = headers["webhook-signature"];
      const at = 4 + (n % 85);
      const other = text.slice(0, at) + (text[at] === "x" ? "y" : "x") + text.slice(at + 1);
      const result = n % 2 === 0 ? verify({}, NOW, changed) : verify({ "webhook-signature": other });
      expect(result.outcome, `request ${n}`).not.toBe("verified");
    }
    expect(verify({ "webhook-id": "msg_2" }).outcome).toBe("signature_mismatch");
    expect(verify(scheme.sign({ body, secret: whpk, url: "", id: "msg_1", now })).outcome).toBe("signature_malformed");
    expect(verify({}, NOW, body, [{ id: "sec_1", value: "whpk_AAAA" }]).outcome).toBe("signature_mismatch");
  });
});

it.each(["10.0.0.0/8", "203.0.113.7", "203.0.113.0/24", "2001:db8::/32", "fc00::/7", "2001:db8::1"])(
  "%s is a network of somebody's own",
  (text) => {
    expect(isNetwork(text)).toBe(true);
  },
);

it.each([
  "0.0.0.0/0",
  "0.0.0.0/1",
  "128.0.0.0/1",
  "10.0.0.0/7",
  "::/0",
  "2000::/3",
  "::ffff:0.0.0.0/96",
  "example.com",
  "10.0.0/8",
  "10.0.0.0/8/8",
  "10.0.0.0/33",
])("%s is none: it is the internet, or no network", (text) => {
  expect(isNetwork(text)).toBe(false);
});

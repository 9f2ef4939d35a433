import { createHmac } from "node:crypto";
import { LinearWebhookClient } from "@linear/sdk/webhooks";
import { sign as githubSign, verify as githubVerify } from "@octokit/webhooks-methods";
import { WebhooksHelper } from "square";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import twilio from "twilio";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { hmacSettings, type SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import { SOURCE_TEMPLATES, type SourceTemplateName } from "#lib/contracts/sources/templates";
import type { SchemeRequest } from "#lib/platform/schemes/scheme";
import { schemeOf } from "#lib/platform/schemes/templates";

const NOW = Date.UTC(2026, 10, 23, 12);
const now = new Date(NOW);
const SECONDS = String(NOW / 1000);
const URL_SIGNED = "https://hooks.example.com/webhooks/sender?tenant=7";
const WHSEC = `whsec_${Buffer.from("a key of thirty-two bytes or so.").toString("base64")}`;
const JSON_BODY = JSON.stringify({
  id: "evt_1",
  type: "invoice.paid",
  created: NOW / 1000,
  data: { object: "invoice", text: "Grüße" },
  webhookTimestamp: NOW,
});

/** A sender: its secret, a body of its own, and its own library in both directions. Null where it has none. */
type Sender = {
  secret: string;
  body: string;
  settings?: SchemeSettings;
  remoteAddress?: string;
  /** Made by the sender's library, or by what its documentation says. */
  signedByThem: () => Promise<Record<string, string>> | Record<string, string>;
  /** True when the sender's own verifier takes what our `sign` made. */
  verifiedByThem: ((headers: Record<string, string>) => Promise<boolean> | boolean) | null;
};

const linear = new LinearWebhookClient("linear-secret");
const hmac = (algorithm: string, secret: string, content: string, encoding: "hex" | "base64") =>
  createHmac(algorithm, secret).update(content).digest(encoding);
const ours = (header: string, prefix: string) => (headers: Record<string, string>) =>
  headers[header] === `${prefix}the-token-of-the-sender`;
const TWILIO_BODY = "MessageSid=SM1&Body=Hello+there%21&From=%2B15005550006&SmsStatus=received";
const attempt = (verify: () => unknown) => {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
};

const SENDERS: Record<SourceTemplateName, Sender> = {
  platform: {
    secret: "platform-secret",
    body: JSON_BODY,
    signedByThem: () => ({ "x-webhook-signature": hmac("sha256", "platform-secret", JSON_BODY, "hex") }),
    verifiedByThem: null,
  },
  "standard-webhooks": {
    secret: WHSEC,
    body: JSON_BODY,
    signedByThem: () => ({
      "webhook-id": "msg_1",
      "webhook-timestamp": SECONDS,
      "webhook-signature": new StandardWebhook(WHSEC).sign("msg_1", now, JSON_BODY),
    }),
    verifiedByThem: (headers) => attempt(() => new StandardWebhook(WHSEC).verify(JSON_BODY, headers)),
  },
  svix: {
    secret: WHSEC,
    body: JSON_BODY,
    signedByThem: () => ({
      "svix-id": "msg_1",
      "svix-timestamp": SECONDS,
      "svix-signature": new SvixWebhook(WHSEC).sign("msg_1", now, JSON_BODY),
    }),
    verifiedByThem: (headers) => attempt(() => new SvixWebhook(WHSEC).verify(JSON_BODY, headers)),
  },
  stripe: {
    secret: "whsec_stripe_test_secret",
    body: JSON_BODY,
    signedByThem: () => ({
      "stripe-signature": Stripe.webhooks.generateTestHeaderString({
        payload: JSON_BODY,
        secret: "whsec_stripe_test_secret",
        timestamp: NOW / 1000,
      }),
    }),
    verifiedByThem: (headers) =>
      attempt(() =>
        new Stripe("sk_test_x").webhooks.constructEvent(JSON_BODY, headers["stripe-signature"] ?? "", "whsec_stripe_test_secret"),
      ),
  },
  github: {
    secret: "It's a Secret to Everybody",
    body: JSON_BODY,
    signedByThem: async () => ({ "x-hub-signature-256": await githubSign("It's a Secret to Everybody", JSON_BODY) }),
    verifiedByThem: (headers) => githubVerify("It's a Secret to Everybody", JSON_BODY, headers["x-hub-signature-256"] ?? ""),
  },
  gitlab: {
    secret: WHSEC,
    body: JSON_BODY,
    signedByThem: () => ({
      "webhook-id": "delivery-1",
      "webhook-timestamp": SECONDS,
      "webhook-signature": new StandardWebhook(WHSEC).sign("delivery-1", now, JSON_BODY),
    }),
    verifiedByThem: null,
  },
  "gitlab-token": {
    secret: "the-token-of-the-sender",
    body: JSON_BODY,
    signedByThem: () => ({ "x-gitlab-token": "the-token-of-the-sender" }),
    verifiedByThem: ours("x-gitlab-token", ""),
  },
  shopify: {
    secret: "shopify-client-secret",
    body: JSON_BODY,
    signedByThem: () => ({ "x-shopify-hmac-sha256": hmac("sha256", "shopify-client-secret", JSON_BODY, "base64") }),
    verifiedByThem: null,
  },
  slack: {
    secret: "slack-signing-secret",
    body: JSON_BODY,
    signedByThem: () => ({
      "x-slack-request-timestamp": SECONDS,
      "x-slack-signature": `v0=${hmac("sha256", "slack-signing-secret", `v0:${SECONDS}:${JSON_BODY}`, "hex")}`,
    }),
    verifiedByThem: null,
  },
  linear: {
    secret: "linear-secret",
    body: JSON_BODY,
    signedByThem: () => ({ "linear-signature": hmac("sha256", "linear-secret", JSON_BODY, "hex") }),
    verifiedByThem: (headers) => linear.verify(Buffer.from(JSON_BODY), headers["linear-signature"] ?? ""),
  },
  twilio: {
    secret: "twilio-auth-token",
    body: TWILIO_BODY,
    signedByThem: () => ({
      "x-twilio-signature": twilio.getExpectedTwilioSignature(
        "twilio-auth-token",
        URL_SIGNED,
        Object.fromEntries(new URLSearchParams(TWILIO_BODY)),
      ),
    }),
    verifiedByThem: (headers) =>
      twilio.validateRequest(
        "twilio-auth-token",
        headers["x-twilio-signature"] ?? "",
        URL_SIGNED,
        Object.fromEntries(new URLSearchParams(TWILIO_BODY)),
      ),
  },
  square: {
    secret: "square-signature-key",
    body: JSON_BODY,
    signedByThem: () => ({
      "x-square-hmacsha256-signature": hmac("sha256", "square-signature-key", URL_SIGNED + JSON_BODY, "base64"),
    }),
    verifiedByThem: (headers) =>
      WebhooksHelper.verifySignature({
        requestBody: JSON_BODY,
        signatureHeader: headers["x-square-hmacsha256-signature"] ?? "",
        signatureKey: "square-signature-key",
        notificationUrl: URL_SIGNED,
      }),
  },
  hmac: {
    secret: "home-made-secret",
    body: JSON_BODY,
    settings: {
      hmac: hmacSettings.parse({
        header: "x-acme-signature",
        algorithm: "sha512",
        encoding: "base64",
        content: "{id}|{timestamp}|{body}",
        timestampHeader: "x-acme-time",
        idHeader: "x-acme-id",
        toleranceSeconds: 60,
      }),
    },
    signedByThem: () => ({
      "x-acme-id": "msg_1",
      "x-acme-time": SECONDS,
      "x-acme-signature": hmac("sha512", "home-made-secret", `msg_1|${SECONDS}|${JSON_BODY}`, "base64"),
    }),
    verifiedByThem: null,
  },
  token: {
    secret: "the-token-of-the-sender",
    body: JSON_BODY,
    signedByThem: () => ({ authorization: "Bearer the-token-of-the-sender" }),
    verifiedByThem: ours("authorization", "Bearer "),
  },
  basic: {
    secret: "user:the-password",
    body: JSON_BODY,
    signedByThem: () => ({ authorization: `Basic ${btoa("user:the-password")}` }),
    verifiedByThem: null,
  },
  network: {
    secret: "",
    body: JSON_BODY,
    settings: { network: { networks: ["10.0.0.0/8", "2001:db8::/32"] } },
    remoteAddress: "10.1.2.3",
    signedByThem: () => ({}),
    verifiedByThem: null,
  },
};

// The senders' libraries judge times by the clock of the process.
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }));
afterAll(() => void vi.useRealTimers());

const secretsOf = ({ secret }: Sender) => [
  { id: "sec_other", value: "another-secret-that-is-valid-too" },
  { id: "sec_1", value: secret },
];
const requestOf = (sender: Sender, headers: Record<string, string>, over: Partial<SchemeRequest> = {}): SchemeRequest => ({
  body: Buffer.from(sender.body),
  headers,
  url: URL_SIGNED,
  remoteAddress: sender.remoteAddress ?? "203.0.113.9",
  ...over,
});

describe.each([...SOURCE_TEMPLATES])("%s", (template) => {
  const sender = SENDERS[template];
  const scheme = schemeOf(template, sender.settings ?? {});
  const signedByUs = () => scheme.sign({ body: Buffer.from(sender.body), secret: sender.secret, url: URL_SIGNED, id: "msg_1", now });

  it("takes what the sender's own library signed", async () => {
    const headers = await sender.signedByThem();
    expect(scheme.verify(requestOf(sender, headers), secretsOf(sender), NOW)).toMatchObject({ outcome: "verified" });
  });

  it("signs what the sender's own library takes, and what it takes itself", async () => {
    const headers = signedByUs();
    expect(scheme.verify(requestOf(sender, headers), secretsOf(sender), NOW)).toMatchObject({ outcome: "verified" });
    if (sender.verifiedByThem) expect(await sender.verifiedByThem(headers)).toBe(true);
  });

  it.runIf(scheme.trust === "signed")("takes none of 183 requests with one character changed", async () => {
    const headers = await sender.signedByThem();
    let tried = 0;
    for (let n = 0; tried < 183; n += 1) {
      const changed = tampered(sender, headers, n);
      if (changed === null) continue;
      tried += 1;
      expect(scheme.verify(changed, secretsOf(sender), NOW), `tampered request ${n}`).not.toMatchObject({ outcome: "verified" });
    }
  });

  it("rejects a request without its header, and never throws for a strange one", () => {
    if (scheme.headers.length === 0) return;
    expect(scheme.verify(requestOf(sender, {}), secretsOf(sender), NOW)).toEqual({ outcome: "signature_missing" });
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
      for (const header of scheme.headers)
        expect(scheme.verify(requestOf(sender, { [header]: value }), secretsOf(sender), NOW).outcome).not.toBe("verified");
    const repeated = Object.fromEntries(scheme.headers.map((header) => [header, ["a", "b"]]));
    expect(scheme.verify({ ...requestOf(sender, {}), headers: repeated }, secretsOf(sender), NOW).outcome).toBe("signature_repeated");
  });
});

/** The n-th change: a character of the body, of a header, or of the URL where it is signed; null where it changes nothing. */
function tampered(sender: Sender, headers: Record<string, string>, n: number): SchemeRequest | null {
  const names = Object.keys(headers);
  const place = n % (names.length + 1);
  const at = Math.floor(n / (names.length + 1)) * 7;
  if (place === names.length) {
    const body = Buffer.from(sender.body);
    body[at % body.length] = (body[at % body.length] ?? 0) ^ (1 + (n % 7));
    return requestOf(sender, headers, { body });
  }
  const name = names[place] ?? "";
  const text = headers[name] ?? "";
  const index = at % text.length;
  const other = text[index] === "x" ? "y" : "x";
  return requestOf(sender, { ...headers, [name]: text.slice(0, index) + other + text.slice(index + 1) });
}

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
    const signature = twilio.getExpectedTwilioSignature("token", url, {});
    const verify = (body: string) =>
      schemeOf("twilio", {}).verify(
        { body: Buffer.from(body), headers: { "x-twilio-signature": signature }, url, remoteAddress: null },
        [{ id: "sec_1", value: "token" }],
        NOW,
      ).outcome;
    const body = '{"property": "value", "boolean": true}';
    expect(twilio.validateRequestWithBody("token", signature, url, body)).toBe(true);
    expect(verify(body)).toBe("verified");
    expect(verify(`${body} `)).toBe("signature_mismatch");
  });
});

describe("time", () => {
  const verifyAt = (template: SourceTemplateName, ms: number) => {
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
  const body = Buffer.from(`${SECONDS}.{}`);
  // "msg" + "." + "1.2" would be signed like "msg.1" + "." + "2".
  const headers = scheme.sign({ body, secret: WHSEC, url: "", id: "msg.1", now });
  expect(scheme.verify({ body, headers, url: "", remoteAddress: null }, [{ id: "sec_1", value: WHSEC }], NOW).outcome).toBe(
    "signature_malformed",
  );
});

import { createHash, createHmac } from "node:crypto";
import { hmacSettings, jwtSettings, type SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { KnownTemplate } from "#lib/contracts/sources/templates";
import { schemeOf } from "#lib/platform/schemes/templates";
import { KNOWN_NAMES, type KnownName, knownSender } from "./known-senders/known-senders.ts";
import { SNS_SECRET, snsMessage, TOPIC } from "./sns/sns-message.ts";

/** The time at which all of them sign. */
export const NOW = Date.UTC(2026, 10, 23, 12);
const SECONDS = String(NOW / 1000);
export const URL_SIGNED = "https://hooks.example.com/webhooks/sender?tenant=7";
export const WHSEC = `whsec_${Buffer.from("a key of thirty-two bytes or so.").toString("base64")}`;
const JSON_BODY = JSON.stringify({
  id: "evt_1",
  type: "invoice.paid",
  created: NOW / 1000,
  data: { object: "invoice", text: "Grüße" },
  webhookTimestamp: NOW,
});

const TWILIO_BODY = "MessageSid=SM1&Body=Hello+there%21&From=%2B15005550006&SmsStatus=received";
const hmac = (algorithm: string, secret: string, content: string, encoding: "hex" | "base64") =>
  createHmac(algorithm, secret).update(content).digest(encoding);

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** A JSON Web Token. RFC 7515, appendix A.1 */
function hs256(secret: string, claims: Record<string, unknown>): string {
  const [head, payload] = [{ alg: "HS256", typ: "JWT" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  return `${head}.${payload}.${createHmac("sha256", secret).update(`${head}.${payload}`).digest("base64url")}`;
}

/** A signature of Stripe's, of now. docs.stripe.com/webhooks#verify-manually */
export function stripeSignature(payload: string, secret: string, seconds = Math.floor(Date.now() / 1000)): string {
  return `t=${seconds},v1=${hmac("sha256", secret, `${seconds}.${payload}`, "hex")}`;
}

/** True when a handler written with Stripe's SDK takes a request now: any signature of the list, at most 300 seconds old. */
export function stripeTakes(payload: string, header: string, secret: string): boolean {
  const parts = header.split(",").map((part) => part.split("="));
  const seconds = Number(parts.find(([name]) => name === "t")?.[1]);
  const expected = stripeSignature(payload, secret, seconds).split("v1=")[1];
  return Math.abs(Date.now() / 1000 - seconds) <= 300 && parts.some(([name, value]) => name === "v1" && value === expected);
}

/** A signature of Twilio's over a form. twilio.com/docs/usage/security#validating-requests */
export function twilioSignature(token: string, url: string, fields: Record<string, string>): string {
  const sorted = Object.keys(fields).sort();
  return hmac("sha1", token, url + sorted.map((name) => name + fields[name]).join(""), "base64");
}

/** A sender: its secret, a body of its own, and how it signs that. */
export type Sender = {
  secret: string;
  body: string;
  settings?: SchemeSettings;
  remoteAddress?: string;
  /** Headers beside the proof. */
  also?: Record<string, string>;
  /** URL that it posts to, where its signature is in the query. */
  url?: string;
  /**
   * Made by what the sender's documentation says. What stands here as text was made by the sender's own library: tests/deep/senders
   * makes it again, or lets the library verify it.
   */
  signedByThem: Record<string, string>;
};

/** Headers of a request of Shopify's, besides its signature. */
export const SHOPIFY_HEADERS = {
  "x-shopify-topic": "orders/create",
  "x-shopify-shop-domain": "acme.myshopify.com",
  "x-shopify-api-version": "2026-10",
  "x-shopify-webhook-id": "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043",
};

/** The same of one of its Events. */
export const SHOPIFY_EVENT_HEADERS = {
  "shopify-topic": "Product",
  "shopify-action": "update",
  "shopify-shop-domain": "acme.myshopify.com",
  "shopify-api-version": "unstable",
  "shopify-webhook-id": "0d1cb1a4-6c3c-4f2f-9e3c-0d9b8a4a5b11",
  "shopify-triggered-at": "2026-11-23T12:00:00.000Z",
};

export const SENDERS: Record<KnownTemplate, Sender> = {
  platform: {
    secret: "platform-secret",
    body: JSON_BODY,
    signedByThem: { "x-webhook-signature": hmac("sha256", "platform-secret", JSON_BODY, "hex") },
  },
  "standard-webhooks": {
    secret: WHSEC,
    body: JSON_BODY,
    signedByThem: {
      "webhook-id": "msg_1",
      "webhook-timestamp": SECONDS,
      "webhook-signature": "v1,U1iNe3XOMXgU1IeR9g968SGf5VKZXvVkAEYhNJUHrP0=",
    },
  },
  svix: {
    secret: WHSEC,
    body: JSON_BODY,
    signedByThem: {
      "svix-id": "msg_1",
      "svix-timestamp": SECONDS,
      "svix-signature": "v1,U1iNe3XOMXgU1IeR9g968SGf5VKZXvVkAEYhNJUHrP0=",
    },
  },
  stripe: {
    secret: "whsec_stripe_test_secret",
    body: JSON_BODY,
    signedByThem: { "stripe-signature": "t=1795435200,v1=780b2074c53fa45876a6782522d0008b2a5eef7439c04d2c6bc5c2d1b4bb2d1a" },
  },
  github: {
    secret: "It's a Secret to Everybody",
    body: JSON_BODY,
    signedByThem: { "x-hub-signature-256": "sha256=ab2f9ed6629e2c62b939764bcee79e025766e5a28cfb5225a18d4fe7993fbbf5" },
  },
  gitlab: {
    secret: WHSEC,
    body: JSON_BODY,
    signedByThem: {
      "webhook-id": "delivery-1",
      "webhook-timestamp": SECONDS,
      "webhook-signature": "v1,6nZUeRdDgF05BdydNK+UKKesCsJl/evRWJ6tQUqTwv0=",
    },
  },
  "gitlab-token": {
    secret: "the-token-of-the-sender",
    body: JSON_BODY,
    signedByThem: { "x-gitlab-token": "the-token-of-the-sender" },
  },
  shopify: {
    secret: "shopify-client-secret",
    body: JSON_BODY,
    // shopify.dev/docs/apps/build/webhooks/verify-deliveries
    signedByThem: { "x-shopify-hmac-sha256": "OqQ5/ImVK4sZIDc+BdQ4/Rlf+rZTU7+LTUugT/dxVFg=" },
  },
  slack: {
    secret: "slack-signing-secret",
    body: JSON_BODY,
    signedByThem: {
      "x-slack-request-timestamp": SECONDS,
      "x-slack-signature": `v0=${hmac("sha256", "slack-signing-secret", `v0:${SECONDS}:${JSON_BODY}`, "hex")}`,
    },
  },
  linear: {
    secret: "linear-secret",
    body: JSON_BODY,
    signedByThem: { "linear-signature": "ade7871ca938510e8b389b1eefb2dab6bf9ee6fffe1f05ed36aa77f34fb4134c" },
  },
  twilio: {
    secret: "twilio-auth-token",
    body: TWILIO_BODY,
    signedByThem: { "x-twilio-signature": "3Z0Y/EG27B4VUqMjxOwf4k37f7U=" },
  },
  square: {
    secret: "square-signature-key",
    body: JSON_BODY,
    signedByThem: { "x-square-hmacsha256-signature": "/c1hsXcr3NCJFbayibH7QaN9c/1nvhku0G0YkPF/akg=" },
  },
  zoom: {
    secret: "zoom-secret-token",
    body: JSON_BODY,
    // developers.zoom.us/docs/api/webhooks/#verify-with-zooms-header
    signedByThem: {
      "x-zm-request-timestamp": SECONDS,
      "x-zm-signature": `v0=${hmac("sha256", "zoom-secret-token", `v0:${SECONDS}:${JSON_BODY}`, "hex")}`,
    },
  },
  meta: {
    secret: "meta-app-secret",
    body: JSON_BODY,
    signedByThem: { "x-hub-signature-256": `sha256=${hmac("sha256", "meta-app-secret", JSON_BODY, "hex")}` },
  },
  x: {
    secret: "x-consumer-secret",
    body: JSON_BODY,
    // docs.x.com/x-api/webhooks/quickstart
    signedByThem: { "x-twitter-webhooks-signature": `sha256=${hmac("sha256", "x-consumer-secret", JSON_BODY, "base64")}` },
  },
  "microsoft-graph": {
    secret: "the-state-of-the-client",
    body: JSON.stringify({ value: [{ subscriptionId: "s1", clientState: "the-state-of-the-client", changeType: "updated" }] }),
    signedByThem: {},
  },
  dropbox: {
    secret: "dropbox-app-secret",
    body: JSON_BODY,
    signedByThem: { "x-dropbox-signature": hmac("sha256", "dropbox-app-secret", JSON_BODY, "hex") },
  },
  sns: {
    secret: SNS_SECRET,
    body: JSON.stringify(snsMessage()),
    settings: { sns: { topics: [TOPIC] } },
    signedByThem: {},
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
    signedByThem: {
      "x-acme-id": "msg_1",
      "x-acme-time": SECONDS,
      "x-acme-signature": hmac("sha512", "home-made-secret", `msg_1|${SECONDS}|${JSON_BODY}`, "base64"),
    },
  },
  jwt: {
    secret: "a-shared-secret-of-a-token",
    body: JSON_BODY,
    settings: { jwt: jwtSettings.parse({ header: "x-acme-token", algorithm: "HS256", bodyClaim: "body_sha256" }) },
    signedByThem: { "x-acme-token": hs256("a-shared-secret-of-a-token", { iat: NOW / 1000, body_sha256: sha256(JSON_BODY) }) },
  },
  token: {
    secret: "the-token-of-the-sender",
    body: JSON_BODY,
    signedByThem: { authorization: "Bearer the-token-of-the-sender" },
  },
  basic: {
    secret: "user:the-password",
    body: JSON_BODY,
    signedByThem: { authorization: `Basic ${btoa("user:the-password")}` },
  },
  network: {
    secret: "",
    body: JSON_BODY,
    settings: { network: { networks: ["10.0.0.0/8", "2001:db8::/32"] } },
    remoteAddress: "10.1.2.3",
    signedByThem: {},
  },
  ...known(),
};

function known(): Record<KnownName, Sender> {
  const made = KNOWN_NAMES.map((name) => {
    const { make, again: _, noQuery, ...sender } = knownSender(name);
    const at = noQuery ? URL_SIGNED.replace(/\?.*/, "") : URL_SIGNED;
    const { body, headers, query } = make({ url: at, now: NOW });
    const proving = new Set(schemeOf(name, sender.settings ?? {}).headers);
    const of = (isProof: boolean) => Object.fromEntries(Object.entries(headers).filter(([header]) => proving.has(header) === isProof));
    return [name, { ...sender, body, signedByThem: of(true), also: of(false), url: query ? `${at}&${query}` : at }];
  });
  return Object.fromEntries(made);
}

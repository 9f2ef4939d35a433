import { createHmac } from "node:crypto";
import { LinearWebhookClient } from "@linear/sdk/webhooks";
import { sign as githubSign, verify as githubVerify } from "@octokit/webhooks-methods";
import { WebhooksHelper } from "square";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import twilio from "twilio";
import { hmacSettings, type SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import type { KnownTemplate } from "#lib/contracts/sources/templates";
import { SHOPIFY_HEADERS, shopifyTakes } from "./shopify-webhooks.ts";
import { SNS_SECRET, snsMessage, TOPIC } from "./sns/sns-message.ts";

/** The time at which all of them sign. */
export const NOW = Date.UTC(2026, 10, 23, 12);
const now = new Date(NOW);
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

/** A sender: its secret, a body of its own, and its own library in both directions. Null where it has none. */
export type Sender = {
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

export const SENDERS: Record<KnownTemplate, Sender> = {
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
    // shopify.dev/docs/apps/build/webhooks/verify-deliveries
    signedByThem: () => ({ "x-shopify-hmac-sha256": hmac("sha256", "shopify-client-secret", JSON_BODY, "base64") }),
    verifiedByThem: (headers) => shopifyTakes("shopify-client-secret", JSON_BODY, { ...SHOPIFY_HEADERS, ...headers }),
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
  zoom: {
    secret: "zoom-secret-token",
    body: JSON_BODY,
    // developers.zoom.us/docs/api/webhooks/#verify-with-zooms-header
    signedByThem: () => ({
      "x-zm-request-timestamp": SECONDS,
      "x-zm-signature": `v0=${hmac("sha256", "zoom-secret-token", `v0:${SECONDS}:${JSON_BODY}`, "hex")}`,
    }),
    verifiedByThem: null,
  },
  meta: {
    secret: "meta-app-secret",
    body: JSON_BODY,
    signedByThem: () => ({ "x-hub-signature-256": `sha256=${hmac("sha256", "meta-app-secret", JSON_BODY, "hex")}` }),
    verifiedByThem: null,
  },
  x: {
    secret: "x-consumer-secret",
    body: JSON_BODY,
    // docs.x.com/x-api/webhooks/quickstart
    signedByThem: () => ({ "x-twitter-webhooks-signature": `sha256=${hmac("sha256", "x-consumer-secret", JSON_BODY, "base64")}` }),
    verifiedByThem: null,
  },
  "microsoft-graph": {
    secret: "the-state-of-the-client",
    body: JSON.stringify({ value: [{ subscriptionId: "s1", clientState: "the-state-of-the-client", changeType: "updated" }] }),
    signedByThem: () => ({}),
    verifiedByThem: null,
  },
  dropbox: {
    secret: "dropbox-app-secret",
    body: JSON_BODY,
    signedByThem: () => ({ "x-dropbox-signature": hmac("sha256", "dropbox-app-secret", JSON_BODY, "hex") }),
    verifiedByThem: null,
  },
  sns: {
    secret: SNS_SECRET,
    body: JSON.stringify(snsMessage()),
    settings: { sns: { topics: [TOPIC] } },
    signedByThem: () => ({}),
    verifiedByThem: null,
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

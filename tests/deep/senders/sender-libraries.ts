import { createHmac } from "node:crypto";
import { LinearWebhookClient } from "@linear/sdk/webhooks";
import { sign as githubSign, verify as githubVerify } from "@octokit/webhooks-methods";
import "@shopify/shopify-api/adapters/web-api";
import { ApiVersion, LogSeverity, shopifyApi } from "@shopify/shopify-api";
import { WebhooksHelper } from "square";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import twilio from "twilio";
import type { KnownTemplate } from "#lib/contracts/sources/templates";
import { NOW, SENDERS, SHOPIFY_HEADERS, URL_SIGNED } from "#tests/support/senders";

export type Sent = { url: string; headers: Record<string, string>; body: string };

/** Verification at the receiving end; it throws, or returns false. */
export type Verify = (sent: Sent, key: string) => unknown;

/** Each sender's own library as it verifies a request. */
export const LIBRARIES: Partial<Record<KnownTemplate, Verify>> = {
  stripe: ({ body, headers }, key) => new Stripe("sk_test_x").webhooks.constructEvent(body, headers["stripe-signature"] ?? "", key),
  github: ({ body, headers }, key) => githubVerify(key, body, headers["x-hub-signature-256"] ?? ""),
  "standard-webhooks": ({ body, headers }, key) => new StandardWebhook(key).verify(body, headers),
  gitlab: ({ body, headers }, key) => new StandardWebhook(key).verify(body, headers),
  svix: ({ body, headers }, key) => new SvixWebhook(key).verify(body, headers),
  linear: ({ body, headers }, key) => new LinearWebhookClient(key).verify(Buffer.from(body), headers["linear-signature"] ?? ""),
  twilio: ({ url, body, headers }, key) =>
    twilio.validateRequest(key, headers["x-twilio-signature"] ?? "", url, Object.fromEntries(new URLSearchParams(body))),
  square: ({ url, body, headers }, key) =>
    WebhooksHelper.verifySignature({
      requestBody: body,
      signatureHeader: headers["x-square-hmacsha256-signature"] ?? "",
      signatureKey: key,
      notificationUrl: url,
    }),
  shopify: ({ body, headers }, key) => shopifyTakes(key, body, { ...SHOPIFY_HEADERS, ...headers }),
  // docs.slack.dev/authentication/verifying-requests-from-slack
  slack: ({ body, headers }, key) => {
    const at = headers["x-slack-request-timestamp"] ?? "";
    const expected = `v0=${createHmac("sha256", key).update(`v0:${at}:${body}`).digest("hex")}`;
    return Math.abs(Date.now() / 1000 - Number(at)) <= 300 && expected === headers["x-slack-signature"];
  },
};

/** What each sender's own library signs of its body at NOW, where it has a function for it. */
export const SIGNED: Partial<Record<KnownTemplate, () => Record<string, string> | Promise<Record<string, string>>>> = {
  "standard-webhooks": () => ({
    "webhook-signature": new StandardWebhook(SENDERS.svix.secret).sign("msg_1", new Date(NOW), SENDERS.svix.body),
  }),
  gitlab: () => ({
    "webhook-signature": new StandardWebhook(SENDERS.gitlab.secret).sign("delivery-1", new Date(NOW), SENDERS.gitlab.body),
  }),
  svix: () => ({ "svix-signature": new SvixWebhook(SENDERS.svix.secret).sign("msg_1", new Date(NOW), SENDERS.svix.body) }),
  stripe: () => ({
    "stripe-signature": Stripe.webhooks.generateTestHeaderString({
      payload: SENDERS.stripe.body,
      secret: SENDERS.stripe.secret,
      timestamp: NOW / 1000,
    }),
  }),
  github: async () => ({ "x-hub-signature-256": await githubSign(SENDERS.github.secret, SENDERS.github.body) }),
  twilio: () => ({
    "x-twilio-signature": twilio.getExpectedTwilioSignature(
      SENDERS.twilio.secret,
      URL_SIGNED,
      Object.fromEntries(new URLSearchParams(SENDERS.twilio.body)),
    ),
  }),
};

/** True when a sender's own library takes a request. */
export async function isTaken(verify: Verify, sent: Sent, key: string): Promise<boolean> {
  try {
    return (await verify(sent, key)) !== false;
  } catch {
    return false;
  }
}

/** True when Shopify's own library takes a request, by the client secret of an app. */
export async function shopifyTakes(apiSecretKey: string, body: string, headers: Record<string, string>): Promise<boolean> {
  const { webhooks } = shopifyApi({
    ...{ apiKey: "key", apiSecretKey, hostName: "app.example.com", apiVersion: Object.values(ApiVersion)[0] as ApiVersion },
    isEmbeddedApp: false,
    logger: { level: LogSeverity.Error },
  });
  const rawRequest = new Request("https://app.example.com/hooks", { method: "POST", headers });
  return (await webhooks.validate({ rawBody: body, rawRequest })).valid;
}

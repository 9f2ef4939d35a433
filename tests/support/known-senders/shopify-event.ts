import { createHmac } from "node:crypto";
import { reSign } from "#lib/platform/schemes/sender-requests";
import { schemeOf } from "#lib/platform/schemes/templates";
import { SHOPIFY_EVENT_HEADERS, SHOPIFY_HEADERS } from "../senders.ts";

// An Event of Shopify's, which has other headers than its webhooks.

export const SHOPIFY_SECRET = "the-client-secret-of-an-app";
export const EVENT_BODY = JSON.stringify({ product: { id: 7, title: "Grüße" } });
export const signatureBy = (secret: string): string => createHmac("sha256", secret).update(EVENT_BODY).digest("base64");

export const EVENT_HEADERS = { ...SHOPIFY_EVENT_HEADERS, "shopify-hmac-sha256": signatureBy(SHOPIFY_SECRET) };
export const WEBHOOK_HEADERS = { ...SHOPIFY_HEADERS, "x-shopify-hmac-sha256": signatureBy(SHOPIFY_SECRET) };

/** Returns what our check of an Event comes to. */
export const verifyEvent = (body = EVENT_BODY): string =>
  schemeOf("shopify", {}).verify(
    { body: Buffer.from(body), headers: EVENT_HEADERS, url: "https://a.example", remoteAddress: null },
    [{ id: "sec_1", value: SHOPIFY_SECRET }],
    0,
  ).outcome;

/** Returns the headers with which it goes to a destination that has this secret. */
export const signedAgain = (headers: Record<string, string>, secret: string): Record<string, string> =>
  reSign(
    { template: "shopify", scheme: {}, reading: null },
    { body: Buffer.from(EVENT_BODY), url: "https://b.example", headers, secrets: [secret], id: "evt_1", now: new Date() },
  ).headers;

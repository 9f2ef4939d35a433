import type { Scheme } from "../scheme.ts";
import { hmac } from "./template.ts";

const schemeOf = (prefix: "x-shopify" | "shopify") =>
  hmac({ header: `${prefix}-hmac-sha256`, encoding: "base64" }, { idIsSigned: false })();
const WEBHOOKS = schemeOf("x-shopify");
/** shopify.dev, "Verify Events deliveries": signed the same way, with other header names. */
const EVENTS = schemeOf("shopify");

type Headers = Record<string, string | string[] | undefined>;
/** Tells them apart as Shopify's library does. */
const oneOf = (headers: Headers) => (headers["shopify-hmac-sha256"] ? EVENTS : WEBHOOKS);

/** Shopify's webhooks, and Events, which will replace them. */
export const shopifyScheme: Scheme = {
  ...WEBHOOKS,
  headers: [...WEBHOOKS.headers, ...EVENTS.headers],
  verify: (request, secrets, now) => oneOf(request.headers).verify(request, secrets, now),
  sign: (request) => oneOf(request.received ?? {}).sign(request),
};

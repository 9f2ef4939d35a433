import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { reSign } from "#lib/platform/schemes/sender-requests";
import { schemeOf } from "#lib/platform/schemes/templates";
import { SHOPIFY_EVENT_HEADERS, SHOPIFY_HEADERS } from "#tests/support/senders";
import { shopifyTakes } from "./sender-libraries.ts";

const secret = "the-client-secret-of-an-app";
const body = JSON.stringify({ product: { id: 7, title: "Grüße" } });
const hmac = createHmac("sha256", secret).update(body).digest("base64");
const received = { ...SHOPIFY_EVENT_HEADERS, "shopify-hmac-sha256": hmac };
const scheme = schemeOf("shopify", {});
const verify = (headers: Record<string, string>, bytes: Uint8Array = Buffer.from(body)) =>
  scheme.verify({ body: bytes, headers, url: "https://a.example", remoteAddress: null }, [{ id: "sec_1", value: secret }], 0).outcome;

it("an Event of Shopify's verifies as its own library takes it", async () => {
  expect(await shopifyTakes(secret, body, received)).toBe(true);
  expect(verify(received)).toBe("verified");
});

it("an Event is signed again under its own headers, and a webhook under its own", async () => {
  const sender = { template: "shopify" as const, scheme: {}, reading: null };
  const again = (headers: Record<string, string>) =>
    reSign(sender, {
      body: Buffer.from(body),
      url: "https://b.example",
      headers,
      secrets: ["the-destination's"],
      id: "evt_1",
      now: new Date(),
    });
  for (const headers of [received, { ...SHOPIFY_HEADERS, "x-shopify-hmac-sha256": hmac }]) {
    const sent = again(headers);
    expect(await shopifyTakes("the-destination's", body, sent.headers)).toBe(true);
    expect(await shopifyTakes(secret, body, sent.headers)).toBe(false);
  }
});

import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { readEvents, readingOfStored } from "#lib/platform/read-event";
import { reSign } from "#lib/platform/schemes/sender-requests";
import { schemeOf } from "#lib/platform/schemes/templates";
import { SHOPIFY_EVENT_HEADERS, SHOPIFY_HEADERS } from "#tests/support/senders";

const secret = "the-client-secret-of-an-app";
const body = JSON.stringify({ product: { id: 7, title: "Grüße" } });
const hmac = createHmac("sha256", secret).update(body).digest("base64");
const received = { ...SHOPIFY_EVENT_HEADERS, "shopify-hmac-sha256": hmac };
const scheme = schemeOf("shopify", {});
const verify = (headers: Record<string, string>, bytes: Uint8Array = Buffer.from(body)) =>
  scheme.verify({ body: bytes, headers, url: "https://a.example", remoteAddress: null }, [{ id: "sec_1", value: secret }], 0).outcome;

it("an Event of Shopify's verifies by the header of Events, and no other body does", () => {
  expect(verify(received)).toBe("verified");
  expect(verify(received, Buffer.from(`${body} `))).toBe("signature_mismatch");
});

it("an Event is signed again under its own headers, and a webhook under its own", () => {
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
    const name = "shopify-topic" in headers ? "shopify-hmac-sha256" : "x-shopify-hmac-sha256";
    expect(sent.headers).toMatchObject({ [name]: createHmac("sha256", "the-destination's").update(body).digest("base64") });
  }
});

it("an Event is read by its headers", () => {
  const source = readingOfStored({ name: "shop", template: "shopify", records: "none", record: null, reading: null, mapping: {} });
  const read = readEvents({ body: Buffer.from(body), headers: received, query: "", receivedAt: new Date() }, source);
  const created = Date.parse("2026-11-23T12:00:00Z") / 1000;
  expect(read).toMatchObject({
    events: [{ envelope: { id: SHOPIFY_EVENT_HEADERS["shopify-webhook-id"], type: "Product.update", created } }],
  });
});

import { expect, it } from "vitest";
import { readEvents, readingOfStored } from "#lib/platform/read-event";
import {
  EVENT_BODY,
  EVENT_HEADERS,
  signatureBy,
  signedAgain,
  verifyEvent,
  WEBHOOK_HEADERS,
} from "#tests/support/known-senders/shopify-event";

it("an Event of Shopify's verifies by the header of Events, and no other body does", () => {
  expect(verifyEvent()).toBe("verified");
  expect(verifyEvent(`${EVENT_BODY} `)).toBe("signature_mismatch");
});

it("an Event is signed again under its own headers, and a webhook under its own", () => {
  const again = signatureBy("the-destination's");
  expect(signedAgain(EVENT_HEADERS, "the-destination's")).toMatchObject({ "shopify-hmac-sha256": again });
  expect(signedAgain(WEBHOOK_HEADERS, "the-destination's")).toMatchObject({ "x-shopify-hmac-sha256": again });
});

it("an Event is read by its headers", () => {
  const source = readingOfStored({ name: "shop", template: "shopify", records: "none", record: null, reading: null, mapping: {} });
  const read = readEvents({ body: Buffer.from(EVENT_BODY), headers: EVENT_HEADERS, query: "", receivedAt: new Date() }, source);
  const created = Date.parse("2026-11-23T12:00:00Z") / 1000;
  expect(read).toMatchObject({
    events: [{ envelope: { id: EVENT_HEADERS["shopify-webhook-id"], type: "Product.update", created } }],
  });
});

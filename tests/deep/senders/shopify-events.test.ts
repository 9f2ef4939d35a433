import { expect, it } from "vitest";
import {
  EVENT_BODY,
  EVENT_HEADERS,
  SHOPIFY_SECRET,
  signedAgain,
  verifyEvent,
  WEBHOOK_HEADERS,
} from "#tests/support/known-senders/shopify-event";
import { shopifyTakes } from "./sender-libraries.ts";

it("an Event of Shopify's verifies as its own library takes it", async () => {
  expect(await shopifyTakes(SHOPIFY_SECRET, EVENT_BODY, EVENT_HEADERS)).toBe(true);
  expect(verifyEvent()).toBe("verified");
});

it("an Event is signed again under its own headers, and a webhook under its own", async () => {
  for (const headers of [EVENT_HEADERS, WEBHOOK_HEADERS]) {
    const sent = signedAgain(headers, "the-destination's");
    expect(await shopifyTakes("the-destination's", EVENT_BODY, sent)).toBe(true);
    expect(await shopifyTakes(SHOPIFY_SECRET, EVENT_BODY, sent)).toBe(false);
  }
});

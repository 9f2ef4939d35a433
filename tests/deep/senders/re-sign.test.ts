import twilio from "twilio";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { KnownTemplate } from "#lib/contracts/sources/templates";
import { newSigningSecret, requestOf } from "#lib/forwarding/attempt/outgoing-request";
import { HOURS_LATER, receivedFrom, reSigned, TARGET } from "#tests/support/forwarding/re-signed";
import { SENDERS } from "#tests/support/senders";
import { targetUrl } from "#tests/support/target-url";
import { isTaken, LIBRARIES, type Verify } from "./sender-libraries.ts";

const secret = newSigningSecret();

// The senders' libraries judge times by the clock of the process.
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: HOURS_LATER }));
afterAll(() => void vi.useRealTimers());

describe.each(Object.entries(LIBRARIES))("%s", (name, verify) => {
  const template = name as KnownTemplate;

  it("a retry hours later verifies with the sender's own library, by the destination's secret and by no other", async () => {
    const sent = reSigned(receivedFrom(template), [secret]);
    expect(await isTaken(verify, sent, secret)).toBe(true);
    expect(await isTaken(verify, sent, SENDERS[template].secret)).toBe(false);
    expect(await isTaken(verify, { ...sent, body: `${sent.body} ` }, secret)).toBe(false);
  });
});

it("what had a time of its own is too late hours later when it is passed through", async () => {
  for (const template of ["stripe", "slack", "standard-webhooks", "linear"] as const) {
    const event = receivedFrom(template);
    const { headers } = requestOf(event, { mode: "pass_through", secrets: [] }, targetUrl(TARGET), new Date());
    const sent = { url: TARGET, headers, body: event.body.toString() };
    expect(await isTaken(LIBRARIES[template] as Verify, sent, SENDERS[template].secret), template).toBe(false);
  }
});

it("while a secret is replaced both sign, where the sender's header has room for two", async () => {
  const older = newSigningSecret();
  for (const template of ["stripe", "standard-webhooks"] as const) {
    const sent = reSigned(receivedFrom(template), [secret, older]);
    const verify = LIBRARIES[template] as Verify;
    expect([await isTaken(verify, sent, secret), await isTaken(verify, sent, older)]).toEqual([true, true]);
  }
});

it("a JSON request of Twilio's carries its digest in the URL", () => {
  const event = { ...receivedFrom("twilio"), body: Buffer.from('{"a":1}'), headers: { "content-type": "application/json" } };
  const { url, body, headers } = reSigned(event, [secret]);
  expect(url).toMatch(/^https:\/\/app\.example\.com\/hooks\?tenant=7&bodySHA256=[0-9a-f]{64}$/);
  expect(twilio.validateRequestWithBody(secret, headers["x-twilio-signature"] ?? "", url, body)).toBe(true);
});

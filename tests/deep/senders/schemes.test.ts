import twilio from "twilio";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { KnownTemplate } from "#lib/contracts/sources/templates";
import { schemeOf } from "#lib/platform/schemes/templates";
import { NOW, SENDERS, URL_SIGNED } from "#tests/support/senders";
import { isTaken, LIBRARIES, SIGNED } from "./sender-libraries.ts";

// The senders' libraries judge times by the clock of the process.
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }));
afterAll(() => void vi.useRealTimers());

describe.each(Object.keys(LIBRARIES) as KnownTemplate[])("%s", (template) => {
  const sender = SENDERS[template];
  const verify = LIBRARIES[template] ?? (() => false);

  it("what the quick suite takes for the sender's is what its own library signs, or verifies", async () => {
    expect(sender.signedByThem).toMatchObject((await SIGNED[template]?.()) ?? {});
    expect(await isTaken(verify, { url: URL_SIGNED, headers: sender.signedByThem, body: sender.body }, sender.secret)).toBe(true);
    expect(await isTaken(verify, { url: URL_SIGNED, headers: sender.signedByThem, body: `${sender.body} ` }, sender.secret)).toBe(false);
  });

  it("what we sign is what its own library takes", async () => {
    const headers = schemeOf(template, sender.settings ?? {}).sign({
      body: Buffer.from(sender.body),
      secret: sender.secret,
      url: URL_SIGNED,
      id: "msg_1",
      now: new Date(NOW),
    });
    expect(await isTaken(verify, { url: URL_SIGNED, headers, body: sender.body }, sender.secret)).toBe(true);
  });
});

it("Twilio's JSON requests verify by the digest in the URL", () => {
  const sha = "0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620";
  const url = `https://example.com/myapp.php?foo=1&bar=2&bodySHA256=${sha}`;
  const signature = twilio.getExpectedTwilioSignature("token", url, {});
  expect(twilio.validateRequestWithBody("token", signature, url, '{"property": "value", "boolean": true}')).toBe(true);
  expect(signature).toBe("iussOGD7AhyLBoke2HWKdoKHq/Q=");
});

it("a form of Twilio's is signed by its decoded fields", () => {
  const fields = Object.fromEntries(new URLSearchParams("MessageSid=SM1&Body=%EF%BF%BD+unreadable&SmsStatus=received"));
  expect(twilio.getExpectedTwilioSignature("twilio-auth-token", URL_SIGNED, fields)).toBe("av1SqZedqHPMWOMRsbSAZr7Gx/E=");
});

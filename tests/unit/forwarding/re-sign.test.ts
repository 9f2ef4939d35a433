import { Webhook as StandardWebhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { SOURCE_TEMPLATES } from "#lib/contracts/sources/templates";
import { newSigningSecret } from "#lib/forwarding/attempt/outgoing-request";
import { whyNotReSigned } from "#lib/platform/schemes/sender-requests";
import { isBasic, schemeOf } from "#lib/platform/schemes/templates";
import { HOURS_LATER, receivedFrom, reSigned } from "#tests/support/forwarding/re-signed";
import { NOW } from "#tests/support/senders";

// Verification by each sender's own library: tests/deep/senders.

const secret = newSigningSecret();

// The library of Standard Webhooks judges times by the clock of the process.
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: HOURS_LATER }));
afterAll(() => void vi.useRealTimers());

it("a sender's own ID stays over all attempts, so that its handler finds duplicates", () => {
  const event = receivedFrom("standard-webhooks");
  expect([reSigned(event, [secret]), reSigned(event, [secret], HOURS_LATER + 1000)].map(({ headers }) => headers["webhook-id"])).toEqual([
    "msg_1",
    "msg_1",
  ]);
  const { headers } = reSigned({ ...event, headers: {} }, [secret]);
  expect(headers["webhook-id"]).toMatch(/^msg_[0-9a-f]{40}$/);
});

it("Linear's time alone changes in its body, not words of a person's that look like it", () => {
  const event = receivedFrom("linear");
  const text = `{"data":{"webhookTimestamp":1,"title":"\\"webhookTimestamp\\":2"}, "webhookTimestamp" : ${NOW},"big":1.0}`;
  const { body } = reSigned({ ...event, body: Buffer.from(text) }, [secret]);
  expect(body).toBe(text.replace(String(NOW), String(HOURS_LATER)));
});

it("a token or password is the destination's own, and what of the request is the secret is named to be hidden", () => {
  const token = reSigned(receivedFrom("token"), [secret]);
  expect(token.headers.authorization).toBe(`Bearer ${secret}`);
  expect(token.secrets).toEqual([`Bearer ${secret}`, secret]);
  const { headers } = reSigned(receivedFrom("basic"), [secret]);
  expect(Buffer.from(headers.authorization?.slice("Basic ".length) ?? "", "base64").toString()).toBe(`signalbox:${secret}`);
});

it("every sender's request verifies by its scheme again, or is refused in words", () => {
  const refused: string[] = [];
  for (const template of SOURCE_TEMPLATES) {
    const event = receivedFrom(template);
    const why = whyNotReSigned(event.sender);
    const { url, headers, body } = reSigned(event, [secret]);
    if (why !== null) {
      refused.push(why);
      // A delivery that waits from before is signed by Signalbox: nothing is sent without a signature.
      if (/^[{[]/.test(body)) expect(new StandardWebhook(secret).verify(body, headers)).toBeTruthy();
      continue;
    }
    if (template === "trello") continue; // we take no URL with a query of it, as this destination's
    const key = isBasic(template) ? `signalbox:${secret}` : secret;
    const verified = schemeOf(template, event.sender.scheme).verify(
      { body: Buffer.from(body), headers, url, remoteAddress: null },
      [{ id: "own", value: key }],
      HOURS_LATER,
    );
    expect(verified, template).toMatchObject({ outcome: "verified", secretId: "own" });
  }
  const [inBody, byItsKey, unsigned] = [
    "its signature is in the body, which is forwarded unchanged.",
    "only the sender has the key.",
    "its requests have no signature.",
  ];
  const expected = [
    ["Microsoft Graph", inBody],
    ["Amazon SNS", byItsKey],
    ["Dropbox Sign (HelloSign)", inBody],
    ["SignWell", inBody],
    ["Jotform", unsigned],
    ["Nanonets", unsigned],
    ["Mailgun", inBody],
    ["Twilio SendGrid", byItsKey],
    ["Discord webhook events", byItsKey],
    ["Plaid", byItsKey],
    ["Kinde", byItsKey],
    ["Salesforce outbound messages", unsigned],
    ["No signature, known networks", unsigned],
  ];
  expect(refused).toEqual(expected.map(([sender, why]) => `${sender} can't be re-signed: ${why}`));
});

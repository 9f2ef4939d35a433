import { createHmac } from "node:crypto";
import { LinearWebhookClient } from "@linear/sdk/webhooks";
import { verify as githubVerify } from "@octokit/webhooks-methods";
import { WebhooksHelper } from "square";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import twilio from "twilio";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type KnownTemplate, SOURCE_TEMPLATES } from "#lib/contracts/sources/templates";
import { requestOf } from "#lib/forwarding/attempt/request-headers";
import { newSigningSecret } from "#lib/forwarding/attempt/signing";
import { whyNotReSigned } from "#lib/platform/schemes/re-sign";
import { schemeOf } from "#lib/platform/schemes/templates";
import { NOW, SENDERS } from "#tests/support/senders";
import { SHOPIFY_HEADERS, shopifyTakes } from "#tests/support/shopify-webhooks";
import { targetUrl } from "#tests/support/target-url";

/** Long after every tolerance, as a retry may come. */
const HOURS_LATER = NOW + 6 * 3_600_000;
const URL = "https://app.example.com/hooks?tenant=7";
const secret = newSigningSecret();

// The senders' libraries judge times by the clock of the process.
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: HOURS_LATER }));
afterAll(() => void vi.useRealTimers());

type Sent = { url: string; headers: Record<string, string>; body: string };
type Verify = (sent: Sent, key: string) => unknown;

/** Verification by each sender's own library at the receiving end; it throws, or returns false. */
const LIBRARIES: Partial<Record<KnownTemplate, Verify>> = {
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
  shopify: ({ body, headers }, key) => shopifyTakes(key, body, headers),
  // docs.slack.dev/authentication/verifying-requests-from-slack
  slack: ({ body, headers }, key) => {
    const at = headers["x-slack-request-timestamp"] ?? "";
    const expected = `v0=${createHmac("sha256", key).update(`v0:${at}:${body}`).digest("hex")}`;
    return Math.abs(Date.now() / 1000 - Number(at)) <= 300 && expected === headers["x-slack-signature"];
  },
};

async function isTaken(verify: Verify, sent: Sent, key = secret): Promise<boolean> {
  try {
    return (await verify(sent, key)) !== false;
  } catch {
    return false;
  }
}

async function received(template: KnownTemplate) {
  const { body, settings = {}, signedByThem } = SENDERS[template];
  const headers: Record<string, string> = { ...(await signedByThem()) };
  if (template === "shopify") Object.assign(headers, SHOPIFY_HEADERS);
  if (template === "twilio") headers["content-type"] = "application/x-www-form-urlencoded";
  const sender = { template, scheme: settings, reading: null };
  return { deliveryId: "dlv_1", number: 4, sourceId: "src_1", eventId: "evt_1", type: "a.b", body: Buffer.from(body), headers, sender };
}

const send = (event: Awaited<ReturnType<typeof received>>, secrets: string[], at = Date.now()): Sent & { secrets: readonly string[] } => {
  const target = targetUrl(URL);
  const { path, headers, body, secrets: hidden } = requestOf(event, { mode: "re_sign", secrets }, target, new Date(at));
  return { url: target.origin + path, headers, body: Buffer.from(body).toString(), secrets: hidden };
};

describe.each(Object.entries(LIBRARIES))("%s", (name, verify) => {
  const template = name as KnownTemplate;

  it("a retry hours later verifies with the sender's own library, by the destination's secret and by no other", async () => {
    const sent = send(await received(template), [secret]);
    expect(await isTaken(verify, sent)).toBe(true);
    expect(await isTaken(verify, sent, SENDERS[template].secret)).toBe(false);
    expect(await isTaken(verify, { ...sent, body: `${sent.body} ` })).toBe(false);
  });
});

it("what had a time of its own is too late hours later when it is passed through", async () => {
  for (const template of ["stripe", "slack", "standard-webhooks", "linear"] as const) {
    const event = await received(template);
    const { headers } = requestOf(event, { mode: "pass_through", secrets: [] }, targetUrl(URL), new Date());
    const sent = { url: URL, headers, body: event.body.toString() };
    expect(await isTaken(LIBRARIES[template] as Verify, sent, SENDERS[template].secret), template).toBe(false);
  }
});

it("a sender's own ID stays over all attempts, so that its handler finds duplicates", async () => {
  const event = await received("standard-webhooks");
  expect([send(event, [secret]), send(event, [secret], HOURS_LATER + 1000)].map(({ headers }) => headers["webhook-id"])).toEqual([
    "msg_1",
    "msg_1",
  ]);
  const { headers } = send({ ...event, headers: {} }, [secret]);
  expect(headers["webhook-id"]).toMatch(/^msg_[0-9a-f]{40}$/);
});

it("while a secret is replaced both sign, where the sender's header has room for two", async () => {
  const older = newSigningSecret();
  for (const template of ["stripe", "standard-webhooks"] as const) {
    const sent = send(await received(template), [secret, older]);
    const verify = LIBRARIES[template] as Verify;
    expect([await isTaken(verify, sent), await isTaken(verify, sent, older)]).toEqual([true, true]);
  }
});

it("a JSON request of Twilio's carries its digest in the URL", async () => {
  const event = { ...(await received("twilio")), body: Buffer.from('{"a":1}'), headers: { "content-type": "application/json" } };
  const { url, body, headers } = send(event, [secret]);
  expect(url).toMatch(/^https:\/\/app\.example\.com\/hooks\?tenant=7&bodySHA256=[0-9a-f]{64}$/);
  expect(twilio.validateRequestWithBody(secret, headers["x-twilio-signature"] ?? "", url, body)).toBe(true);
});

it("Linear's time alone changes in its body, not words of a person's that look like it", async () => {
  const event = await received("linear");
  const text = `{"data":{"webhookTimestamp":1,"title":"\\"webhookTimestamp\\":2"}, "webhookTimestamp" : ${NOW},"big":1.0}`;
  const { body } = send({ ...event, body: Buffer.from(text) }, [secret]);
  expect(body).toBe(text.replace(String(NOW), String(HOURS_LATER)));
});

it("a token or password is the destination's own, and what of the request is the secret is named to be hidden", async () => {
  const token = send(await received("token"), [secret]);
  expect(token.headers.authorization).toBe(`Bearer ${secret}`);
  expect(token.secrets).toEqual([`Bearer ${secret}`, secret]);
  const { headers } = send(await received("basic"), [secret]);
  expect(Buffer.from(headers.authorization?.slice("Basic ".length) ?? "", "base64").toString()).toBe(`signalbox:${secret}`);
});

it("every sender's request verifies by its scheme again, or is refused in words", async () => {
  const refused: string[] = [];
  for (const template of SOURCE_TEMPLATES) {
    const event = await received(template);
    const why = whyNotReSigned(event.sender);
    const { url, headers, body } = send(event, [secret]);
    if (why !== null) {
      refused.push(why);
      // A delivery that waits from before is signed by Signalbox: nothing is sent without a signature.
      expect(new StandardWebhook(secret).verify(body, headers)).toBeTruthy();
      continue;
    }
    const key = template === "basic" ? `signalbox:${secret}` : secret;
    const verified = schemeOf(template, event.sender.scheme).verify(
      { body: Buffer.from(body), headers, url, remoteAddress: null },
      [{ id: "own", value: key }],
      HOURS_LATER,
    );
    expect(verified, template).toMatchObject({ outcome: "verified", secretId: "own" });
  }
  expect(refused).toEqual([
    "Microsoft Graph can't be re-signed: its signature is in the body, which is forwarded unchanged.",
    "Amazon SNS can't be re-signed: only the sender has the key.",
    "No signature, known networks can't be re-signed: its requests have no signature.",
  ]);
});

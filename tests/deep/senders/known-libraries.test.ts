import { EventCallbackHelper, EventCallbackRequest } from "@dropbox/sign";
import { Signature } from "@hubspot/api-client";
import { verifyWebhookSignature } from "@notionhq/client";
import { Paddle } from "@paddle/paddle-node-sdk";
import { EventWebhook } from "@sendgrid/eventwebhook";
import { WorkOS } from "@workos-inc/node";
import { WebhooksManager } from "box-node-sdk/managers/webhooks";
import { HTTP } from "cloudevents";
import { verifyKey } from "discord-interactions";
import { v2 as mindee } from "mindee";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { schemeOf } from "#lib/platform/schemes/templates";
import type { KnownName } from "#tests/support/known-senders/known-senders";
import { NOW, SENDERS, URL_SIGNED } from "#tests/support/senders";
import { isTaken, type Verify } from "./sender-libraries.ts";

// The libraries judge times by the clock of the process.
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }));
afterAll(() => void vi.useRealTimers());

const header = (headers: Record<string, string>, name: string) => headers[name] ?? "";

/** Each sender's own library as it verifies a request. */
const LIBRARIES: Partial<Record<KnownName, Verify>> = {
  "dropbox-sign": ({ body }, key) => {
    const json = JSON.parse(/\{.*\}/s.exec(body)?.[0] ?? "");
    return EventCallbackHelper.isValid(key, EventCallbackRequest.init(json));
  },
  hubspot: ({ url, body, headers }, key) =>
    Signature.isValid({
      signatureVersion: "v3",
      method: "POST",
      signature: header(headers, "x-hubspot-signature-v3"),
      timestamp: Number(header(headers, "x-hubspot-request-timestamp")),
      clientSecret: key,
      requestBody: body,
      url,
    }),
  "hubspot-v1": ({ body, headers }, key) =>
    Signature.isValid({ signatureVersion: "v1", signature: header(headers, "x-hubspot-signature"), clientSecret: key, requestBody: body }),
  notion: ({ body, headers }, key) =>
    verifyWebhookSignature({ body, signature: header(headers, "x-notion-signature"), verificationToken: key }),
  paddle: ({ body, headers }, key) => new Paddle("key").webhooks.isSignatureValid(body, key, header(headers, "paddle-signature")),
  sendgrid: ({ body, headers }, key) => {
    const hook = new EventWebhook();
    const [signature, time] = ["signature", "timestamp"].map((name) => header(headers, `x-twilio-email-event-webhook-${name}`));
    return hook.verifySignature(hook.convertPublicKeyToECDSA(key), body, signature ?? "", time ?? "");
  },
  workos: ({ body, headers }, key) =>
    new WorkOS("sk_test").webhooks.verifyHeader({ payload: body as never, sigHeader: header(headers, "workos-signature"), secret: key }),
  box: ({ body, headers }, key) => WebhooksManager.validateMessage(body, headers, "another-key", { secondaryKey: key }),
  discord: ({ body, headers }, key) =>
    verifyKey(body, header(headers, "x-signature-ed25519"), header(headers, "x-signature-timestamp"), key),
  mindee: async ({ body, headers }, key) => {
    const response = new mindee.LocalResponse(Buffer.from(body));
    await response.init();
    return response.isValidHmacSignature(key, header(headers, "x-mindee-hmac-signature"));
  },
};

describe.each(Object.keys(LIBRARIES) as KnownName[])("%s", (name) => {
  const { body, secret, signedByThem, also, url = URL_SIGNED, settings = {} } = SENDERS[name];
  const verify = LIBRARIES[name] ?? (() => false);

  it("our example of its documentation is taken by its own library, and another body or key is not", async () => {
    const headers = { ...also, ...signedByThem };
    const other = name === "dropbox-sign" ? body.replace("all_signed", "declined") : `${body} `;
    expect(await isTaken(verify, { url, headers, body }, secret)).toBe(true);
    expect(await isTaken(verify, { url, headers, body: other }, secret)).toBe(false);
  });

  const scheme = schemeOf(name, settings);
  it.skipIf(scheme.onlySenderSigns?.(secret) || name === "box")("what we sign is taken by its own library", async () => {
    const headers = scheme.sign({ body: Buffer.from(body), secret, url, id: "msg_1", now: new Date(NOW) });
    expect(await isTaken(verify, { url, headers: { ...also, ...headers }, body }, secret)).toBe(true);
  });
});

it("CloudEvents' own library reads the parts of our example as its template does", () => {
  const { body, signedByThem, also } = SENDERS.cloudevents;
  const event = HTTP.toEvent({ headers: { "content-type": "application/json", ...also, ...signedByThem }, body });
  expect(event).toMatchObject({ id: "43", source: "/orders", type: "com.example.order", time: new Date(NOW).toISOString() });
});

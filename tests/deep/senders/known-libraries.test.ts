import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { EventGridDeserializer } from "@azure/eventgrid";
import { EventCallbackHelper, EventCallbackRequest } from "@dropbox/sign";
import { Signature } from "@hubspot/api-client";
import { decodeWebhook } from "@kinde/webhooks";
import { verifyWebhookSignature } from "@notionhq/client";
import { Paddle } from "@paddle/paddle-node-sdk";
import { EventWebhook } from "@sendgrid/eventwebhook";
import { WorkOS } from "@workos-inc/node";
import { WebhooksManager } from "box-node-sdk/managers/webhooks";
import { HTTP } from "cloudevents";
import { verifyKey } from "discord-interactions";
import { v2 as mindee } from "mindee";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PLATFORM_READING, readEvents } from "#lib/platform/read-event";
import { schemeOf, TEMPLATES } from "#lib/platform/schemes/templates";
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

it("Event Grid's own library reads our example as its template does, and wants all of its parts", async () => {
  const { body } = SENDERS["event-grid"];
  const library = new EventGridDeserializer();
  const theirs = await library.deserializeEventGridEvents(body);
  const request = { body: Buffer.from(body), headers: {}, query: "", receivedAt: new Date(NOW) };
  const ours = readEvents(request, { ...PLATFORM_READING, event: TEMPLATES["event-grid"].reading });
  const read = theirs.map(({ id, eventType, eventTime }) => ({ id, type: eventType, created: eventTime.getTime() / 1000 }));
  expect(ours).toMatchObject({ outcome: "events", events: read.map((envelope) => ({ envelope })) });
  const [{ id: _, ...incomplete }] = JSON.parse(body);
  await expect(library.deserializeEventGridEvents(JSON.stringify([incomplete]))).rejects.toThrow("'id'");
});

it("Kinde's own library takes the token that our scheme takes, and neither takes it altered or by another key", async () => {
  const { body, secret, settings = {} } = SENDERS.kinde;
  const { publicKey: other } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pemOfOther = other.export({ format: "pem", type: "spki" }).toString();
  const [header, claims = "", signature] = body.split(".");
  const event = JSON.parse(Buffer.from(claims, "base64url").toString());
  const altered = [header, Buffer.from(JSON.stringify({ ...event, type: "user.deleted" })).toString("base64url"), signature].join(".");
  const theirs = async (token: string, key: string) => {
    const keys = [{ ...createPublicKey(key).export({ format: "jwk" }), kid: "k2", alg: "RS256", use: "sig" }];
    vi.stubGlobal("fetch", async (url: string) => {
      expect(url).toBe("https://acme.kinde.com/.well-known/jwks.json");
      return Response.json({ keys });
    });
    const decoded = await decodeWebhook(token, "https://acme.kinde.com");
    vi.unstubAllGlobals();
    return decoded;
  };
  const ours = (token: string, key: string) => {
    const request = { body: Buffer.from(token), headers: {}, url: URL_SIGNED, remoteAddress: null };
    return schemeOf("kinde", settings).verify(request, [{ id: "s", value: key }], NOW).outcome;
  };
  expect([await theirs(body, secret), ours(body, secret)]).toEqual([event, "verified"]);
  expect([await theirs(altered, secret), ours(altered, secret)]).toEqual([null, "signature_mismatch"]);
  expect([await theirs(body, pemOfOther), ours(body, pemOfOther)]).toEqual([null, "signature_mismatch"]);
});

it("every sender that is said to be checked with its own verifier is checked here", () => {
  const said = (Object.keys(TEMPLATES) as KnownName[]).filter((name) => TEMPLATES[name].proof === "verifier");
  const here = new Set([...Object.keys(LIBRARIES), "cloudevents", "event-grid", "kinde"]);
  expect(said.filter((name) => !here.has(name))).toEqual([]);
});

import { createHmac } from "node:crypto";
import { expect } from "vitest";
import type { KnownName } from "./known-senders/known-senders.ts";
import { signedByDiscord } from "./known-senders/sender-keys.ts";
import type { TestReceiver } from "./receivers.ts";

type Asked = { name: string; secret: string; receiver: TestReceiver };
type Question = (asked: Asked) => Promise<void>;

const base64 = (secret: string, body: string) => createHmac("sha256", secret).update(body).digest("base64");
const json = (value: unknown) => JSON.stringify(value);

/** What senders ask before they send, as their documentation says, and the answer that they look for. */
export const QUESTIONS: Partial<Record<KnownName, Question>> = {
  "acrobat-sign": async ({ name, secret, receiver }) => {
    const answer = await receiver.send(name, { method: "GET", headers: { "x-adobesign-clientid": secret } });
    expect([answer.status, answer.headers.get("x-adobesign-clientid")]).toEqual([200, secret]);
  },
  xero: async ({ name, secret, receiver }) => {
    const body = json({ events: [], firstEventSequence: 0, lastEventSequence: 0, entropy: "S0m3r4Nd0mt3xt" });
    const ask = (key: string) => receiver.send(name, { body, headers: { "x-xero-signature": base64(key, body) } });
    expect([(await ask(secret)).status, (await ask("another-key-of-the-sender")).status]).toEqual([200, 401]);
  },
  okta: async ({ name, receiver }) => {
    const answer = await receiver.send(name, { method: "GET", headers: { "x-okta-verification-challenge": "my verification challenge" } });
    expect([answer.status, await answer.json()]).toEqual([200, { verification: "my verification challenge" }]);
  },
  "event-grid": async ({ name, receiver }) => {
    const data = { validationCode: "512d38b6-c7b8-40c8-89fe-f46f9e9622b6" };
    const body = json([{ id: "1", eventType: "Microsoft.EventGrid.SubscriptionValidationEvent", eventTime: "2026-11-23T12:00:00Z", data }]);
    const answer = await receiver.send(name, { body, headers: { "aeg-event-type": "SubscriptionValidation" } });
    expect([answer.status, await answer.json()]).toEqual([200, { validationResponse: data.validationCode }]);
  },
  monday: async ({ name, receiver }) => {
    const challenge = "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P";
    const answer = await receiver.send(name, { body: json({ challenge }) });
    expect([answer.status, await answer.json()]).toEqual([200, { challenge }]);
  },
  cloudevents: async ({ name, receiver }) => {
    const answer = await receiver.send(name, { method: "OPTIONS", headers: { "webhook-request-origin": "eventemitter.example.com" } });
    expect([answer.status, answer.headers.get("webhook-allowed-origin")]).toEqual([200, "eventemitter.example.com"]);
  },
  trello: async ({ name, receiver }) => expect((await receiver.send(name, { method: "HEAD" })).status).toBe(200),
  intercom: async ({ name, receiver }) => expect((await receiver.send(name, { method: "HEAD" })).status).toBe(200),
  discord: async ({ name, receiver }) => {
    const ask = (body: string) => {
      const headers = signedByDiscord(String(Math.floor(Date.now() / 1000)), body);
      return receiver.send(name, { body, headers });
    };
    expect((await ask(json({ version: 1, application_id: "1", type: 0 }))).status).toBe(204);
    const ping = await ask(json({ application_id: "1", id: "2", token: "t", type: 1, version: 1 }));
    expect([ping.status, await ping.json()]).toEqual([200, { type: 1 }]);
  },
  asana: async ({ name, secret, receiver }) => {
    const body = json({ events: [] });
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    expect((await receiver.send(name, { body, headers: { "x-hook-signature": signature } })).status).toBe(200);
  },
};

/** Senders whose first request comes before their secret is known; some bring it. */
export const FIRST_REQUESTS: Partial<
  Record<KnownName, { headers?: Record<string, string>; body: string; echoed?: string; brings?: string }>
> = {
  boldsign: {
    headers: { "x-boldsign-event": "Verification" },
    body: json({ event: { id: "v-1", eventType: "Verification", created: 1 }, data: null }),
  },
  notion: {
    body: json({ verification_token: "secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl" }),
    brings: "secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl",
  },
  asana: {
    headers: { "x-hook-secret": "b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81" },
    body: "{}",
    echoed: "x-hook-secret",
    brings: "b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81",
  },
  "marketing-cloud": { body: json({ callbackId: "c1", verificationKey: "9b2f" }) },
};

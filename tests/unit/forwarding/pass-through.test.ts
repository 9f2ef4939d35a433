import { verify } from "@octokit/webhooks-methods";
import { expect, it } from "vitest";
import { hmacSettings } from "#lib/contracts/sources/scheme-settings";
import { requestOf } from "#lib/forwarding/attempt/outgoing-request";
import { SENDERS } from "#tests/support/senders";
import { targetUrl } from "#tests/support/target-url";

const target = targetUrl("https://app.example.com/hooks?tenant=7");
const PASSED = { mode: "pass_through", secrets: [] } as const;

it("a copy that is passed through verifies with the sender's own library, and carries no secret of the request", async () => {
  const { secret, body, signedByThem } = SENDERS.github;
  const headers = {
    ...signedByThem,
    "x-github-event": "push",
    "x-github-delivery": "72d3162e",
    "x-gitlab-token": "a secret",
    authorization: "[masked]",
    "x-internal": "of a proxy",
    ":query": "tenant=7",
  };
  const event = { deliveryId: "dlv_1", number: 1, sourceId: "src_1", eventId: "72d3162e", type: "push", body: Buffer.from(body), headers };
  const { headers: sent } = requestOf(event, PASSED, target, new Date());
  expect(await verify(secret, body, sent["x-hub-signature-256"] ?? "")).toBe(true);
  expect(sent).toMatchObject({ "x-github-event": "push", "x-github-delivery": "72d3162e", "signalbox-event-id": "72d3162e" });
  for (const name of ["x-gitlab-token", "authorization", "x-internal", ":query", "webhook-signature"])
    expect(sent).not.toHaveProperty([name]);
});

it("the signature of a home-made scheme is passed under the names that its source gives it, but no connection's header and no secret", () => {
  const { body } = SENDERS.hmac;
  const settings = { header: "x-acme-signature", timestampHeader: "x-acme-time", content: "{timestamp}.{body}" };
  const headers = { "x-acme-signature": "abc", "x-acme-time": "7", "x-acme-kind": "paid", "x-other": "no", connection: "close", host: "a" };
  const sentBy = (header: string, kept: Record<string, string> = headers) => {
    const scheme = { hmac: hmacSettings.parse({ ...settings, header }) };
    const sender = { template: "hmac" as const, scheme, reading: { type: ["header:x-acme-kind"] } };
    const event = {
      deliveryId: "dlv_1",
      number: 1,
      sourceId: "src_1",
      eventId: "e",
      type: "t",
      body: Buffer.from(body),
      headers: kept,
      sender,
    };
    return requestOf(event, PASSED, target, new Date()).headers;
  };
  expect(sentBy("x-acme-signature")).toMatchObject({ "x-acme-signature": "abc", "x-acme-time": "7", "x-acme-kind": "paid" });
  expect(sentBy("x-acme-signature")).not.toHaveProperty(["x-other"]);
  for (const name of ["connection", "host"]) expect(sentBy(name)).not.toHaveProperty([name]);
  expect(sentBy("x-acme-token", { "x-acme-token": "[masked]" })).not.toHaveProperty(["x-acme-token"]);
});

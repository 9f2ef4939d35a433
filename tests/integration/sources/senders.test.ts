import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { env } from "#lib/config/env";
import type { CreateSourceBody } from "#lib/contracts/sources/sources";
import { listEvents } from "#lib/events/event-store";
import { indexEvents } from "#lib/flows/events/index-for-search";
import { readEvent } from "#lib/flows/events/read-event";
import { changeSource, createSource } from "#lib/flows/sources/manage-sources";
import { checkSource } from "#lib/flows/sources/try-requests";
import { schemeOf } from "#lib/platform/schemes/templates";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { ownerOf } from "#tests/support/forwarding/destinations";
import { drainInbox } from "#tests/support/log-writer";
import { noAudit } from "#tests/support/no-audit";
import { useNodeReceiver } from "#tests/support/receivers";
import { countOf, HMAC, useSenders } from "#tests/support/sender-source";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();

const { makeSender, newestQuarantined } = useSenders(receiver);

describe("another sender's webhook", () => {
  it("of Stripe is stored with its own ID, type and time, found by its text, and a repeat is a duplicate", async () => {
    const { workspaceId, name, send } = await makeSender("stripe");
    const body = JSON.stringify({
      id: "evt_stripe_1",
      type: "invoice.paid",
      created: 1_790_000_000,
      data: { object: { customer: "cus_findme" } },
    });
    expect(await (await send(body)).json()).toEqual({ received: true, id: "evt_stripe_1", duplicate: false });
    expect(await (await send(body)).json()).toMatchObject({ duplicate: true });
    await drainInbox();
    await indexEvents();
    const [event] = (await listEvents(workspaceId, { q: "cus_findme" }, { now: new Date(), limit: 10 })).data;
    expect(event).toMatchObject({ id: "evt_stripe_1", type: "invoice.paid", source: name, state: "processed" });
    const detail = await readEvent(workspaceId, "evt_stripe_1");
    expect(detail).toMatchObject({ verification: { form: "signed" }, effects: [], shapeNotes: [] });
  });

  it("of GitHub gets its ID and type from headers, a form its JSON from the field payload", async () => {
    const { workspaceId, send } = await makeSender("github");
    const headers = { "x-github-event": "pull_request", "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958" };
    const json = JSON.stringify({ action: "opened", number: 7 });
    expect(await (await send(json, headers)).json()).toMatchObject({ id: headers["x-github-delivery"] });
    const form = `payload=${encodeURIComponent(JSON.stringify({ zen: "Keep it logically awesome." }))}`;
    expect((await send(form, { "x-github-event": "ping", "x-github-delivery": "another" })).status).toBe(200);
    await drainInbox();
    const types = (await listEvents(workspaceId, {}, { now: new Date(), limit: 10 })).data.map(({ type, state }) => `${type} ${state}`);
    expect(types).toEqual(["ping processed", "pull_request.opened processed"]);
  });

  it("late, but rightly signed, is kept and marked", async () => {
    const late = new Date(Date.now() - 3_600_000);
    const stripe = await makeSender("stripe");
    expect((await stripe.send(JSON.stringify({ id: "evt_late", type: "a.b", created: 1, data: {} }), {}, late)).status).toBe(200);
    expect(await readEvent(stripe.workspaceId, "evt_late")).toMatchObject({ verification: { form: "signed_late" } });
  });

  it("without an ID is one event however often it comes; without a type it is quarantined in words", async () => {
    const { workspaceId, send } = await makeSender("hmac", { scheme: { hmac: HMAC } });
    const body = JSON.stringify({ event: "door.opened", at: "hall" });
    const { id } = (await (await send(body)).json()) as { id: string };
    expect(id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await (await send(body)).json()).toMatchObject({ id, duplicate: true });
    expect(await (await send('{"at":"hall"}')).json()).toEqual({ received: true, quarantined: "invalid_envelope" });
    expect(await newestQuarantined(workspaceId)).toMatchObject({ detail: expect.stringContaining("Looked for it in: id, type, event") });
  });
});

it("a source of another scheme may speak the platform's language when it is told so", async () => {
  const { workspaceId, send } = await makeSender("standard-webhooks", { records: "platform" });
  expect(
    (await send(JSON.stringify({ type: "document.processed", timestamp: "2026-11-23T12:00:00Z", data: { documentId: "doc_9" } }))).status,
  ).toBe(200);
  await drainInbox();
  expect(await countOf("views", workspaceId)).toBe(1);
});

describe("a rejected request", () => {
  it("of another known sender is recognised by its header", async () => {
    const { workspaceId, post } = await makeSender("stripe");
    expect((await post("{}", { "x-hub-signature-256": `sha256=${"0".repeat(64)}` })).status).toBe(401);
    expect(await newestQuarantined(workspaceId)).toMatchObject({
      diagnosis: { code: "other_sender", verdict: expect.stringContaining("GitHub") },
    });
  });

  it("never shows a token, and a stored event doesn't either", async () => {
    const { workspaceId, send, post, secret } = await makeSender("token", { scheme: { token: { header: "x-own-proof", prefix: "" } } });
    const right = JSON.stringify({ id: "evt_token", type: "a.b" });
    expect((await send(right)).status).toBe(200);
    expect((await post(right, { "x-own-proof": "almost-the-secret" })).status).toBe(401);
    const event = await readEvent(workspaceId, "evt_token");
    expect(event).toMatchObject({ verification: { form: "token" }, headers: { "x-own-proof": "[masked]" } });
    const texts = JSON.stringify([event, await newestQuarantined(workspaceId)]);
    expect(texts).not.toContain(secret);
    expect(texts).not.toContain("almost-the-secret");
  });
});

it("an archived source answers 404 and keeps what it received; restored, it receives again", async () => {
  const { workspaceId, owner, sourceId, send } = await makeSender("github");
  const push = (id: string) => send("{}", { "x-github-event": "push", "x-github-delivery": id });
  expect((await push("1")).status).toBe(200);
  await changeSource(contextOf(owner, { audit: noAudit }), sourceId, { archived: true });
  receiver.renew();
  expect((await push("2")).status).toBe(404);
  expect(await countOf("events", workspaceId)).toBe(1);
  await changeSource(contextOf(owner, { audit: noAudit }), sourceId, { archived: false });
  receiver.renew();
  expect((await push("2")).status).toBe(200);
});

it("a source that lacks what its template needs is refused in words that name it", async () => {
  const { workspaceId } = await makeWorkspace();
  const owner = ownerOf(workspaceId);
  const create = (body: CreateSourceBody) => createSource(contextOf(owner, { audit: noAudit }), body);
  await expect(create({ name: "needs-a-secret", template: "stripe" })).rejects.toThrow(/^secret: Stripe issues it/);
  await expect(create({ name: "needs-a-scheme", template: "hmac" })).rejects.toThrow("scheme.hmac: the template hmac requires it.");
  await expect(create({ name: "foreign", template: "github", scheme: { token: { header: "x", prefix: "" } } })).rejects.toThrow(
    /scheme\.token/,
  );
  await expect(create({ name: "no-network", template: "network", scheme: { network: { networks: ["example.com"] } } })).rejects.toThrow(
    /example\.com/,
  );
  await create({ name: `taken-${workspaceId.slice(-6)}`, template: "github" });
  await expect(create({ name: `taken-${workspaceId.slice(-6)}`, template: "github" })).rejects.toThrow(/is taken/);
});

it("a request can be checked against a source without storing it", async () => {
  const { workspaceId, sourceId, secret, name } = await makeSender("stripe");
  const body = JSON.stringify({ id: "evt_checked", type: "a.b", created: 1_790_000_000, data: {} });
  const url = `${env().WEBHOOK_URL}/webhooks/${name}`;
  const headers = schemeOf("stripe", {}).sign({ body: Buffer.from(body), secret, url, id: "", now: new Date() });
  const check = (sent: Record<string, string>) => checkSource(workspaceId, sourceId, { headers: sent, query: "", body }, new Date());
  expect(await check(headers)).toMatchObject({ status: 200, event: { id: "evt_checked", type: "a.b", created: 1_790_000_000 } });
  expect(await check({ "Stripe-Signature": `t=1,v1=${createHmac("sha256", "x").digest("hex")}` })).toMatchObject({
    status: 401,
    event: null,
  });
  expect(await countOf("events", workspaceId)).toBe(0);
});

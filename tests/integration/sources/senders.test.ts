import { createHmac, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { env } from "#lib/config/env";
import { type SourceId, sourceId as toSourceId } from "#lib/contracts/api/ids";
import type { CreateSourceBody } from "#lib/contracts/sources/sources";
import { pool } from "#lib/db/pool";
import { listEvents } from "#lib/events/event-store";
import { indexEvents } from "#lib/flows/events/index-for-search";
import { readEvent } from "#lib/flows/events/read-event";
import { releaseMatching, releaseQuarantined } from "#lib/flows/quarantine/release-quarantined";
import { changeSource, createSource } from "#lib/flows/sources/manage-sources";
import { readSource, readSources } from "#lib/flows/sources/read-sources";
import { checkSource } from "#lib/flows/sources/try-requests";
import { schemeOf } from "#lib/platform/schemes/templates";
import { assertRoom } from "#lib/sources/source-store";
import { unaudited } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { ownerOf } from "#tests/support/forwarding/destinations";
import { drainInbox } from "#tests/support/log-writer";
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
  const { workspaceId, send, change } = await makeSender("github");
  const push = (id: string) => send("{}", { "x-github-event": "push", "x-github-delivery": id });
  expect((await push("1")).status).toBe(200);
  await change({ archived: true });
  receiver.renew();
  expect((await push("2")).status).toBe(404);
  expect(await countOf("events", workspaceId)).toBe(1);
  await change({ archived: false });
  receiver.renew();
  expect((await push("2")).status).toBe(200);
});

it("a source that lacks what its template needs is refused in words that name it", async () => {
  const { workspaceId } = await makeWorkspace();
  const owner = ownerOf(workspaceId);
  const create = (body: CreateSourceBody) => createSource(unaudited(owner), body);
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

const HOUR_AGO = new Date(Date.now() - 3_600_000);

it("requests whose ID header is masked when it is kept are released each for itself", async () => {
  const { workspaceId, send, rotate } = await makeSender("twilio");
  const bodies = ["queued", "sent", "delivered"].map((status) => `MessageSid=SM1&MessageStatus=${status}`);
  for (const [index, body] of bodies.entries()) {
    const answer = await send(body, { "i-twilio-idempotency-token": `token-${index}` }, new Date(), "another-auth-token");
    expect(answer.status).toBe(401);
  }
  await rotate({ overlapHours: 0, secret: "another-auth-token" });
  const released = await releaseMatching(workspaceId, { filter: {}, dryRun: false }, "ada", new Date());
  expect(released).toMatchObject({ released: 3, repeated: 0, failed: 0 });
  expect(await countOf("events", workspaceId)).toBe(3);
});

it("no secret is taken that anybody could sign with, and none is generated that only the sender can issue", async () => {
  const standard = await makeSender("standard-webhooks");
  const rotate = (made: Awaited<ReturnType<typeof makeSender>>, secret?: string) =>
    made.rotate({ overlapHours: 0, ...(secret !== undefined && { secret }) });
  await expect(rotate(standard, "whsec_!!!!!!!!")).rejects.toThrow("paste the whole secret");
  expect((await rotate(standard)).secret).toMatch(/^whsec_[A-Za-z0-9+/]+={0,2}$/);
  await expect(rotate(await makeSender("stripe"))).rejects.toThrow(/^secret: Stripe issues it/);
  await expect(makeSender("hmac", { scheme: { hmac: { ...HMAC, key: "base64" } }, secret: "!!!!!!!!" })).rejects.toThrow(/^secret:/);
});

it("a source says who makes its secret, so that a rotation asks for the sender's where it has one", async () => {
  const { publicKey } = generateKeyPairSync("ed25519");
  const secret = publicKey.export({ type: "spki", format: "pem" }).toString();
  const signed = { scheme: { hmac: { ...HMAC, method: "ed25519" } }, secret } as const;
  const made = await Promise.all([makeSender("github"), makeSender("svix"), makeSender("stripe"), makeSender("hmac", signed)]);
  const sources = await Promise.all(made.map(({ workspaceId, sourceId }) => readSource(workspaceId, sourceId)));
  expect(sources.map(({ template, generatesSecret, issuesSecret }) => [template, generatesSecret, issuesSecret])).toEqual([
    ["github", true, false],
    ["svix", true, true],
    ["stripe", false, true],
    ["hmac", false, true],
  ]);
});

it("what came too late and could be a replay is released by somebody who looked at it, and not among many", async () => {
  const { workspaceId, owner, send } = await makeSender("linear");
  const body = JSON.stringify({ action: "create", type: "Issue", webhookTimestamp: HOUR_AGO.getTime() });
  expect((await send(body, { "linear-delivery": "d1", "linear-event": "Issue" })).status).toBe(401);
  expect(await releaseMatching(workspaceId, { filter: {}, dryRun: false }, "ada", new Date())).toMatchObject({
    released: 0,
    stillQuarantined: 1,
  });
  const { id = "" } = (await newestQuarantined(workspaceId)) ?? {};
  expect(await releaseQuarantined(workspaceId, id, owner.workspaceName, new Date())).toMatchObject({ released: true, eventId: "d1" });
});

it("a late request is not kept where the source reads its ID from what is not signed", async () => {
  const { workspaceId, send } = await makeSender("stripe", { reading: { id: ["header:x-request-id"], type: ["type"] } });
  const body = JSON.stringify({ id: "evt_1", type: "a.b", created: 1, data: {} });
  expect((await send(body, { "x-request-id": "one" }, HOUR_AGO)).status).toBe(401);
  expect(await newestQuarantined(workspaceId)).toMatchObject({ reason: "signature_expired" });
  expect((await send(body, { "x-request-id": "one" })).status).toBe(200);
});

it("what verified is released as its own source reads it, also when that is archived", async () => {
  const { workspaceId, owner, send, change } = await makeSender("hmac", { scheme: { hmac: HMAC } });
  expect((await send(JSON.stringify({ id: "evt_own", kind: "door.opened" }))).status).toBe(202);
  await change({ reading: { id: ["id"], type: ["kind"] }, archived: true });
  const { id = "" } = (await newestQuarantined(workspaceId)) ?? {};
  expect(await releaseQuarantined(workspaceId, id, owner.workspaceName, new Date())).toMatchObject({ released: true, eventId: "evt_own" });
});

it("the workspace's own source can't be archived, another of the platform can, and none is restored beyond the limit", async () => {
  const { workspaceId, owner, sourceId } = await makeSender("github");
  const archive = (id: SourceId, archived: boolean) => changeSource(unaudited(owner), id, { archived });
  const own = (await readSources(workspaceId)).filter(({ main }) => main);
  expect(own).toMatchObject([{ template: "platform" }]);
  await expect(archive(toSourceId.parse(own[0]?.id), true)).rejects.toThrow(/can't be archived/);
  const { id: another } = await createSource(unaudited(owner), { name: `${workspaceId}-another`, template: "platform" });
  expect(await archive(toSourceId.parse(another), true)).toMatchObject({ main: false, archivedAt: expect.any(String) });
  await archive(sourceId, true);
  await pool().query(
    "INSERT INTO sources (id, workspace_id, name, template) SELECT $1 || n, $1, $1 || n, 'github' FROM generate_series(2, 100) n",
    [workspaceId],
  );
  await expect(archive(sourceId, false)).rejects.toThrow(/at most 100 sources/);
});

it("of two sources added at once to 99, one is rejected", async () => {
  const { workspaceId, owner } = await makeSender("github");
  await pool().query(
    "INSERT INTO sources (id, workspace_id, name, template) SELECT $1 || n, $1, $1 || n, 'github' FROM generate_series(3, 99) n",
    [workspaceId],
  );
  const first = await pool().connect();
  await first.query("BEGIN");
  await assertRoom(first, workspaceId);
  const second = createSource(unaudited(owner), { name: `${workspaceId}-second`, template: "github" });
  const rejected = expect(second).rejects.toThrow(/at most 100 sources/);
  const waits = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
  await expect.poll(async () => (await pool().query(waits)).rowCount).toBe(1);
  await first.query("INSERT INTO sources (id, workspace_id, name, template) VALUES ($1 || 'first', $1, $1 || 'first', 'github')", [
    workspaceId,
  ]);
  await first.query("COMMIT");
  first.release();
  await rejected;
});

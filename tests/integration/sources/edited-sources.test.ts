import { expect, it, onTestFinished, vi } from "vitest";
import { type ChangeSourceBody, changeSourceBody, createSourceBody } from "#lib/contracts/sources/sources";
import { pool } from "#lib/db/pool";
import { listEvents } from "#lib/events/event-store";
import { readEvent } from "#lib/flows/events/read-event";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { releaseQuarantined } from "#lib/flows/quarantine/release-quarantined";
import { learnScheme } from "#lib/flows/sources/learn-scheme";
import { changeSource } from "#lib/flows/sources/manage-sources";
import { readSource } from "#lib/flows/sources/read-sources";
import { previewReading } from "#lib/flows/sources/try-requests";
import { schemeOf } from "#lib/platform/schemes/templates";
import { Pauses } from "#lib/time/waits";
import { unaudited } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { applyAll, ownerOf } from "#tests/support/forwarding/destinations";
import { useNodeReceiver } from "#tests/support/receivers";
import { findDeclared } from "#tests/support/routes";
import { HMAC, useSenders } from "#tests/support/sender-source";
import { SENDERS } from "#tests/support/senders";
import { makeWorkspace, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();
const { makeSender, newestQuarantined } = useSenders(receiver);

const HOUR_AGO = new Date(Date.now() - 3_600_000);
const bodyOf = (id: string) => JSON.stringify({ id, type: "a.b", created: 1, data: {} });

it("keeps what arrives after its time limit, marked as late, only while the source says so", async () => {
  const { workspaceId, sourceId, send, change } = await makeSender("stripe");
  const keep = async (keepLate: boolean) => {
    await change({ keepLate });
    receiver.renew();
  };
  expect((await send(bodyOf("evt_1"), {}, HOUR_AGO)).status).toBe(200);
  expect(await readEvent(workspaceId, "evt_1")).toMatchObject({ verification: { form: "signed_late" } });
  await keep(false);
  expect(await readSource(workspaceId, sourceId)).toMatchObject({ keepLate: false });
  expect((await send(bodyOf("evt_2"), {}, HOUR_AGO)).status).toBe(401);
  expect(await newestQuarantined(workspaceId)).toMatchObject({ reason: "signature_expired" });
  expect((await send(bodyOf("evt_2"))).status).toBe(200);
  await keep(true);
  expect((await send(bodyOf("evt_3"), {}, HOUR_AGO)).status).toBe(200);
});

it("asks about late requests where the sender has a time limit and signs the ID", async () => {
  const asked = async (template: "stripe" | "slack" | "linear" | "github" | "twilio") => (await makeSender(template)).created.keepLate;
  expect([await asked("stripe"), await asked("slack")]).toEqual([true, true]);
  expect([await asked("linear"), await asked("github"), await asked("twilio")]).toEqual([null, null, null]);
});

it("tries a reading on stored events and on verified requests in quarantine, by their headers and bodies", async () => {
  const { workspaceId, sourceId, send } = await makeSender("hmac", { scheme: { hmac: HMAC } });
  expect((await send(bodyOf("evt_1"), { "x-kind": "door" })).status).toBe(200);
  expect((await send(JSON.stringify({ no: 7, what: "opened" }), { "x-kind": "door" })).status).toBe(202);
  const tried = (reading: Parameters<typeof previewReading>[2]) => previewReading(workspaceId, sourceId, reading);
  expect(await tried(null)).toMatchObject({
    changed: 0,
    failing: 1,
    requests: [
      { kind: "quarantined", before: null, after: null, events: 0, failure: expect.stringContaining("type") },
      { kind: "event", id: "evt_1", before: { id: "evt_1", type: "a.b", created: 1 }, after: { id: "evt_1", type: "a.b" }, failure: null },
    ],
  });
  expect(await tried({ id: ["no", "id"], type: ["{header:x-kind}.{what}", "header:x-kind"] })).toMatchObject({
    changed: 2,
    failing: 0,
    requests: [
      { kind: "quarantined", before: null, after: { id: "7", type: "door.opened" } },
      { kind: "event", before: { type: "a.b" }, after: { id: "evt_1", type: "door" } },
    ],
  });
  // What is stored of a list is its entries: there is nothing to read the list from.
  expect(await tried({ items: "$", type: ["what"] })).toMatchObject({
    requests: [{ kind: "quarantined", failure: expect.stringContaining("list") }],
  });
});

it("lets webhooks pass between two payloads on which a reading is tried", async () => {
  const { workspaceId, sourceId, send } = await makeSender("hmac", { scheme: { hmac: HMAC } });
  for (const id of ["evt_1", "evt_2"]) expect((await send(bodyOf(id))).status).toBe(200);
  expect((await send(JSON.stringify({ no: 7 }))).status).toBe(202);
  const paused = vi.spyOn(Pauses.prototype, "afterPiece");
  onTestFinished(() => paused.mockRestore());
  await previewReading(workspaceId, sourceId, { id: ["id"], type: ["type"] });
  expect(paused).toHaveBeenCalledTimes(3);
});

async function makeSource(change: ChangeSourceBody) {
  const made = await makeWorkspace();
  await changeSource(unaudited(ownerOf(made.workspaceId)), made.sourceId, change);
  receiver.renew();
  return made;
}

it("a platform source with the reading of the API's example is read by the receiver, the worker and the event's page alike", async () => {
  const { declaration } = await findDeclared("PATCH", "api/v1/sources/[id]");
  const example = changeSourceBody.parse(declaration.example?.body);
  expect(example.reading).toEqual({ id: ["id"], type: ["type"] });
  const { source, workspaceId } = await makeSource(example);
  // No envelope of the platform's: it has neither `created` nor `data`.
  const answer = await receiver.send(source, signed(JSON.stringify({ id: "evt_own", type: "document.uploaded", documentId: "doc_own" })));
  expect([answer.status, await answer.json()]).toEqual([200, { received: true, id: "evt_own", duplicate: false }]);
  await applyAll();
  expect(await readEvent(workspaceId, "evt_own")).toMatchObject({
    state: "processed",
    failure: null,
    resources: [{ kind: "document", id: "doc_own" }],
    effects: expect.arrayContaining([
      expect.objectContaining({ kind: "document", resourceId: "doc_own", field: "state", value: "uploaded" }),
    ]),
  });
});

it("one that reads the query of the URL reads it of a held request as well", async () => {
  const made = await makeSource({ reading: { id: ["query:delivery"], type: ["type"] }, paused: true });
  const answer = await receiver.send(`${made.source}?delivery=evt_in_query`, signed(JSON.stringify({ type: "document.uploaded" })));
  expect(answer.status).toBe(202);
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM quarantine WHERE workspace_id = $1", [made.workspaceId]);
  expect(await releaseQuarantined(made.workspaceId, rows[0]?.id ?? "", "Ada", new Date())).toMatchObject({ eventId: "evt_in_query" });
});

const BODY = JSON.stringify({ id: "evt_1", type: "invoice.paid", created: 1_790_000_000, data: {} });

const stripes = (secret: string) => schemeOf("stripe", {}).sign({ body: Buffer.from(BODY), secret, url: "", id: "", now: new Date() });

it("a source of an unknown sender keeps what comes, names the sender by its secret, and releases it when that is set", async () => {
  const { workspaceId, sourceId, name, post, change } = await makeSender("unknown");
  const { secret } = SENDERS.stripe;
  expect(await learnScheme(workspaceId, sourceId, secret)).toMatchObject({
    tried: 0,
    fits: [],
    hint: { verdict: "No request has arrived yet." },
  });
  expect((await post(BODY, stripes(secret))).status).toBe(401);
  const kept = await newestQuarantined(workspaceId);
  expect(kept?.diagnosis?.verdict).toBe("It isn't known yet how this source's sender signs.");
  expect(await learnScheme(workspaceId, sourceId, "whsec_another-secret")).toMatchObject({
    fits: [],
    hint: { verdict: expect.stringContaining("It looks like a request from Stripe") },
  });
  const { tried, fits } = await learnScheme(workspaceId, sourceId, secret);
  expect([tried, fits]).toEqual([1, [{ template: "stripe", title: "Stripe", scheme: {}, requests: 1 }]]);
  const changed = await change({ template: "stripe", secret });
  expect(changed).toMatchObject({ template: "stripe", sender: "Stripe", scheme: {} });
  receiver.renew();
  expect(await releaseQuarantined(workspaceId, kept?.id ?? "", "Ada", new Date())).toMatchObject({ released: true });
  expect((await post(BODY, stripes(secret))).status).toBe(200);
  expect((await listEvents(workspaceId, {}, { now: new Date(), limit: 5 })).data).toMatchObject([
    { id: "evt_1", type: "invoice.paid", source: name },
  ]);
  await expect(learnScheme(workspaceId, sourceId, secret)).rejects.toMatchObject({ status: 409 });
  await expect(change({ template: "github", secret })).rejects.toMatchObject({ status: 409 });
});

it("after ten minutes nothing is kept until somebody opens it again", async () => {
  const { workspaceId, owner, sourceId, post } = await makeSender("unknown");
  const late = { now: () => Date.now() + 601_000, elapsed: () => performance.now() };
  receiver.renew(createReceiver({ clock: late }));
  expect((await post(BODY, {})).status).toBe(503);
  expect(await newestQuarantined(workspaceId)).toBeUndefined();
  await changeSource(unaudited(owner, { now: new Date(late.now()) }), sourceId, { learning: true });
  receiver.renew(createReceiver({ clock: late }));
  expect((await post(BODY, {})).status).toBe(401);
  expect(await newestQuarantined(workspaceId)).toBeDefined();
});

it("a sender is set with its secret and once, and nobody says themselves until when requests are kept", async () => {
  const sender = await makeSender("unknown");
  const change = (body: unknown) => sender.change(changeSourceBody.parse(body));
  await expect(change({ template: "stripe" })).rejects.toMatchObject({ status: 400, message: expect.stringContaining("Paste the secret") });
  await expect(change({ secret: "whsec_whatever" })).rejects.toMatchObject({ status: 400 });
  await expect(change({ template: "hmac", secret: "whatever-it-is" })).rejects.toMatchObject({ status: 400 });
  const until = { unknown: { until: "2099-01-01T00:00:00.000Z" } };
  expect(changeSourceBody.safeParse({ scheme: until }).success).toBe(false);
  expect(createSourceBody.safeParse({ name: "a", template: "unknown", scheme: until }).success).toBe(false);
});

import { expect, it, onTestFinished, vi } from "vitest";
import { changeSource } from "#lib/flows/sources/manage-sources";
import { readSource } from "#lib/flows/sources/read-sources";
import { previewReading } from "#lib/flows/sources/try-requests";
import { Pauses } from "#lib/time/waits";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { noAudit } from "#tests/support/no-audit";
import { useNodeReceiver } from "#tests/support/receivers";
import { HMAC, useSenders } from "#tests/support/sender-source";

useDatabase();
const receiver = useNodeReceiver();
const { makeSender, newestQuarantined } = useSenders(receiver);

const HOUR_AGO = new Date(Date.now() - 3_600_000);
const bodyOf = (id: string) => JSON.stringify({ id, type: "a.b", created: 1, data: {} });

it("keeps what arrives after its time limit only while the source says so", async () => {
  const { workspaceId, owner, sourceId, send } = await makeSender("stripe");
  const keep = async (keepLate: boolean) => {
    await changeSource(contextOf(owner, { audit: noAudit }), sourceId, { keepLate });
    receiver.renew();
  };
  expect((await send(bodyOf("evt_1"), {}, HOUR_AGO)).status).toBe(200);
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

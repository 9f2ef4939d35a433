import { describe, expect, it, vi } from "vitest";
import { pool } from "#lib/db/pool";
import { readEvent } from "#lib/flows/events/read-event";
import { receiveWebhook } from "#lib/flows/ingest/receive-webhook";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { readQuarantine } from "#lib/flows/quarantine/quarantine";
import { releaseQuarantined } from "#lib/flows/quarantine/release-quarantined";
import { useDatabase } from "#tests/support/database";
import { envelope, makeWorkspace, sign } from "#tests/support/webhooks";

useDatabase();

/** Sends as one who has a webhook's text and its signature does; `body` are other bytes of the same JSON. */
async function makeSender() {
  const made = await makeWorkspace();
  let receiver = createReceiver();
  const send = async (signed: string, body = signed) => {
    const headers = { "x-webhook-signature": sign(signed) };
    const request = { source: made.source, method: "POST", headers, body: Buffer.from(body), remoteAddress: "192.0.2.1" };
    const { status, body: text } = await receiveWebhook(receiver, request);
    return { status, ...(JSON.parse(text) as Record<string, unknown>) };
  };
  const rows = async (table: string) => (await pool().query(`SELECT * FROM ${table} WHERE source_id = $1`, [made.sourceId])).rows;
  const renew = () => {
    receiver = createReceiver();
    return receiver;
  };
  return { ...made, send, rows, renew };
}

const indented = (text: string) => JSON.stringify(JSON.parse(text), null, 2);
const textOf = (bytes: Buffer | null) => bytes?.toString() ?? null;

describe("what is read is what was signed", () => {
  it("an event's body is the text that was signed; the bytes that came stand beside it", async () => {
    const { workspaceId, send, rows } = await makeSender();
    const signed = envelope({ id: "evt_1", data: { name: "Grüße", ratio: 1.5 } });
    const sent = indented(signed).replace("1.5", "1.50").replace("ü", "\\u00fc");
    expect(await send(signed, sent)).toMatchObject({ status: 200, duplicate: false });
    const [row] = await rows("events");
    expect([textOf(row.body), textOf(row.received_body), row.signature_form]).toEqual([signed, sent, "reserialized"]);
    const event = await readEvent(workspaceId, "evt_1");
    expect(event).toMatchObject({ raw: signed, receivedRaw: sent, bytes: Buffer.byteLength(signed) });
  });

  it("other bytes of the same JSON are the same event, whichever came first, and no conflict", async () => {
    const { workspaceId, send, rows } = await makeSender();
    const signed = envelope({ id: "evt_1" });
    for (const body of [indented(signed), signed, `${signed}\n`, `\n${signed}`])
      expect(await send(signed, body)).toEqual({ status: 200, received: true, id: "evt_1", duplicate: body !== indented(signed) });
    expect(await send(envelope({ id: "evt_2" }))).toMatchObject({ status: 200 });
    expect([(await rows("events")).length, await rows("event_conflicts")]).toEqual([2, []]);
    expect(await readEvent(workspaceId, "evt_2")).toMatchObject({ receivedRaw: null });
  });

  it("one that an earlier version stored as it came is the same event, too", async () => {
    const { send, rows, sourceId } = await makeSender();
    const signed = envelope({ id: "evt_1" });
    await send(signed, indented(signed));
    await pool().query("UPDATE event_keys SET body_sha256 = sha256($2) WHERE source_id = $1", [sourceId, Buffer.from(indented(signed))]);
    expect(await send(signed, indented(signed))).toEqual({ status: 200, received: true, id: "evt_1", duplicate: true });
    expect(await rows("event_conflicts")).toEqual([]);
  });

  it("an event whose ID is its body's digest has one, however it is written", async () => {
    const { send, rows, sourceId, renew } = await makeSender();
    await pool().query("UPDATE sources SET reading = $2 WHERE id = $1", [sourceId, { type: ["kind"] }]);
    renew();
    const signed = JSON.stringify({ kind: "a", n: 1 });
    for (const body of [signed, `${signed} `, indented(signed)]) await send(signed, body);
    expect(await rows("events")).toHaveLength(1);
  });

  it("a request that was held for a paused source is released as what was signed", async () => {
    const { workspaceId, send, rows, sourceId, renew } = await makeSender();
    await pool().query("UPDATE sources SET paused_at = now() WHERE id = $1", [sourceId]);
    renew();
    const signed = envelope({ id: "evt_1" });
    expect(await send(signed, indented(signed))).toMatchObject({ quarantined: "source_paused" });
    const [held] = await rows("quarantine");
    expect([textOf(held.body), held.signature_form]).toEqual([indented(signed), "reserialized"]);
    expect(await releaseQuarantined(workspaceId, held.id, "Ada", new Date())).toMatchObject({ released: true });
    const [row] = await rows("events");
    expect([textOf(row.body), textOf(row.received_body)]).toEqual([signed, indented(signed)]);
  });

  it("a body that says more is rejected, and answer and diagnosis say what is wrong, also where only its beginning is kept", async () => {
    const { workspaceId, send, rows } = await makeSender();
    const signed = envelope({ id: "evt_1" });
    const words = 'the key "data" stands twice in one object';
    for (const filler of ["x", "x".repeat(300)]) {
      const more = signed.replace('"data":', `"data":"${filler}","data":`);
      expect(await send(signed, more)).toMatchObject({ status: 401, code: "signature_mismatch", detail: expect.stringContaining(words) });
    }
    const long = envelope({ id: "evt_2", data: { text: "y".repeat(70_000) } });
    await send(long, long.replace('"type":', '"type":"x","type":'));
    const { data } = await readQuarantine(workspaceId, {}, { limit: 10 }, new Date());
    expect(data.map(({ diagnosis }) => JSON.stringify(diagnosis)).join()).toContain('"body_changed"');
    expect(data.map(({ diagnosis }) => diagnosis?.code).sort()).toEqual(["body_changed", "body_changed", "body_cut"]);
    expect(JSON.stringify(data)).toContain('the key \\"type\\" stands twice');
    expect(await rows("events")).toEqual([]);
  });
});

describe("other bodies under one ID", () => {
  const body = (n: number) => envelope({ id: "evt_1", data: { n, text: "z".repeat(100_000) } });

  it("are kept as three bodies of 64 kB, and of the others hash, length and count", async () => {
    const { workspaceId, send } = await makeSender();
    for (const n of [0, 1, 2, 3, 4, 5, 5, 5]) await send(body(n));
    const { conflicts, conflictBodies = [] } = (await readEvent(workspaceId, "evt_1")) ?? {};
    expect(conflicts).toBe(5);
    expect(conflictBodies.map(({ raw, bytes, repeats }) => [raw?.length ?? null, bytes, repeats])).toEqual([
      [65_536, body(1).length, 0],
      [65_536, body(2).length, 0],
      [65_536, body(3).length, 0],
      [null, body(4).length, 0],
      [null, body(5).length, 2],
    ]);
  });

  it("also when they come at once", async () => {
    const { send, rows } = await makeSender();
    await send(body(0));
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => send(body(n))));
    expect((await rows("event_conflicts")).filter(({ body: kept }) => kept.length > 0)).toHaveLength(3);
  });

  it("count in the limits of source and address: 429 beyond them, while new events are taken", async () => {
    const { send, rows, renew, sourceId } = await makeSender();
    const receiver = renew();
    await send(body(0));
    const full = async () => (await receiver.limits.check(sourceId, "192.0.2.1", 0)).retryAfterSeconds !== null;
    while (!(await full()));
    expect(await send(body(1))).toMatchObject({ status: 429, title: expect.stringContaining("differ") });
    expect(await rows("event_conflicts")).toEqual([]);
    expect(await send(body(0))).toMatchObject({ status: 200, duplicate: true });
    expect(await send(envelope())).toMatchObject({ status: 200, duplicate: false });
  });
});

it("an address is credited for a new event whose bytes were signed, not for a repeat, a conflict or other bytes", async () => {
  const { send, renew } = await makeSender();
  const credited = vi.spyOn(renew().reserializing, "noteVerified");
  const first = envelope({ id: "evt_1" });
  await send(first);
  expect(credited).toHaveBeenCalledTimes(1);
  const second = envelope({ id: "evt_2" });
  for (const [signed, body] of [[first], [envelope({ id: "evt_1", created: 5 })], [second, indented(second)]] as const)
    await send(signed, body);
  expect(credited).toHaveBeenCalledTimes(1);
});

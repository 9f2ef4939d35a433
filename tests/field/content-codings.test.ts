import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { expect, it, vi } from "vitest";
import { env } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { readEvent } from "#lib/flows/events/read-event";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { releaseQuarantined } from "#lib/flows/quarantine/release-quarantined";
import { changeSource, rotateSourceSecret } from "#lib/flows/sources/manage-sources";
import { LARGE_MS_PER_IP, REJECTIONS_PER_IP } from "#lib/ingest/receiver-limits";
import { decodeBody } from "#lib/platform/content-coding";
import { systemClock } from "#lib/time/clock";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { ownerOf } from "#tests/support/forwarding/destinations";
import { noAudit } from "#tests/support/no-audit";
import { useNodeReceiver } from "#tests/support/receivers";
import { useSenders } from "#tests/support/sender-source";
import { envelope, makeWorkspace, SECRET, sign } from "#tests/support/webhooks";

// Bodies with a Content-Encoding. expressjs/body-parser#100, expressjs/body-parser#253

useDatabase();
const receiver = useNodeReceiver();
const { makeSender, newestQuarantined } = useSenders(receiver);

const CODED = { gzip: gzipSync, deflate: deflateSync, "deflate without its header": deflateRawSync, br: brotliCompressSync };
const nameOf = (coding: string) => coding.split(" ")[0] ?? "";

const post = async (source: string, body: Uint8Array | string, signature: string, coding: string) => {
  const headers = { "x-webhook-signature": signature, "content-encoding": coding };
  const answer = await receiver.send(source, { body, headers });
  return { status: answer.status, ...((await answer.json()) as { id?: string; quarantined?: string; code?: string; duplicate?: boolean }) };
};

it.each(["utf-8", "UTF8", "ISO-8859-1", "windows-1252", "GBK", "Shift_JIS", "identity", "none", "8bit"])(
  "a plain body that calls itself %s is read",
  async (coding) => {
    const { source } = await makeWorkspace();
    const body = envelope({ id: "evt_plain" });
    expect(await post(source, body, sign(body), coding)).toMatchObject({ status: 200, id: "evt_plain" });
  },
);

it.each(Object.keys(CODED) as (keyof typeof CODED)[])(
  "%s is read decoded, whichever bytes were signed, and both are one event",
  async (coding) => {
    const { source, workspaceId } = await makeWorkspace();
    const body = envelope({ id: "evt_coded", data: { text: "x".repeat(2000) } });
    const coded = CODED[coding](body);
    expect(await post(source, coded, sign(coded), nameOf(coding))).toMatchObject({ status: 200, duplicate: false });
    expect(await post(source, coded, sign(body), nameOf(coding))).toMatchObject({ status: 200, duplicate: true });
    expect(await post(source, body, sign(body), "identity")).toMatchObject({ status: 200, duplicate: true });
    expect(await readEvent(workspaceId, "evt_coded")).toMatchObject({ raw: body, receivedRaw: null });
  },
);

it("a body that is coded twice is read", async () => {
  const { source } = await makeWorkspace();
  const body = envelope({ id: "evt_twice" });
  expect(await post(source, brotliCompressSync(gzipSync(body)), sign(body), "gzip, br")).toMatchObject({ status: 200, id: "evt_twice" });
});

it.each([
  ["another coding", () => Buffer.from(envelope()), "zstd"],
  ["a body that isn't coded as it says", () => Buffer.from(envelope()), "gzip"],
  ["a cut one", () => gzipSync(envelope()).subarray(0, 40), "gzip"],
  ["one that unpacks to too much", () => gzipSync(envelope({ data: { text: "x".repeat(env().WEBHOOK_MAX_BYTES) } })), "gzip"],
])("%s is kept in quarantine with the reason when it is signed, and refused when it is not", async (what, make, coding) => {
  const { source, workspaceId } = await makeWorkspace();
  const body = make();
  expect(await post(source, body, sign(body), coding)).toMatchObject({ status: 202, quarantined: "malformed_json" });
  const kept = await newestQuarantined(workspaceId);
  const isLarge = what.includes("too much");
  expect(kept?.detail).toMatch(isLarge ? /WEBHOOK_MAX_BYTES/ : /content-encoding/);
  const refused = await post(source, body, sign("another"), coding);
  expect(refused).toMatchObject(isLarge ? { status: 413, code: "too_large" } : { status: 415, code: "content_encoding" });
});

it("a compressed body that was signed with another secret is diagnosed by what it says, and released once that secret is the source's", async () => {
  const { source, sourceId, workspaceId } = await makeWorkspace();
  const body = envelope({ id: "evt_released" });
  expect(await post(source, gzipSync(body), sign(body, `${SECRET}\n`), "gzip")).toMatchObject({ status: 401 });
  expect((await newestQuarantined(workspaceId))?.diagnosis).toMatchObject({ code: "secret_trimmed" });
  expect(await post(source, gzipSync(body), sign(body, "the-right-secret"), "gzip")).toMatchObject({ status: 401 });
  const id = (await newestQuarantined(workspaceId))?.id ?? "";
  await rotateSourceSecret(contextOf(ownerOf(workspaceId), { audit: noAudit }), sourceId, { overlapHours: 0, secret: "the-right-secret" });
  expect(await releaseQuarantined(workspaceId, id, "ada", new Date())).toMatchObject({ released: true });
  expect(await readEvent(workspaceId, "evt_released")).toMatchObject({ raw: body });
});

it("compressed requests of a paused source wait, and are released as they read decoded", async () => {
  const { owner, name, sourceId, workspaceId, secret } = await makeSender("github");
  await changeSource(contextOf(owner, { audit: noAudit }), sourceId, { paused: true });
  receiver.renew();
  const body = JSON.stringify({ action: "opened", number: 7 });
  const headers = {
    "x-github-event": "issues",
    "x-github-delivery": "delivery-1",
    "x-hub-signature-256": `sha256=${sign(body, secret)}`,
    "content-encoding": "gzip",
  };
  expect((await receiver.send(name, { body: gzipSync(body), headers })).status).toBe(202);
  const id = (await newestQuarantined(workspaceId))?.id ?? "";
  expect(await releaseQuarantined(workspaceId, id, "ada", new Date())).toMatchObject({ released: true });
  expect(await readEvent(workspaceId, "delivery-1")).toMatchObject({ raw: body, type: "issues.opened" });
});

it("a secret inside a compressed body is kept nowhere", async () => {
  const { name, workspaceId, secret } = await makeSender("microsoft-graph");
  const body = (state: string) => JSON.stringify({ value: [{ id: "n1", changeType: "updated", clientState: state, resourceData: {} }] });
  const headers = { "content-encoding": "gzip" };
  expect((await receiver.send(name, { body: gzipSync(body(secret)), headers })).status).toBe(200);
  await receiver.send(name, { body: gzipSync(body(secret).replace('"value"', '"values"')), headers });
  const { rows } = await pool().query<{ bytes: Buffer | null }>(
    `SELECT unnest(ARRAY[body, received_body]) AS bytes FROM events WHERE workspace_id = $1
     UNION ALL SELECT body FROM quarantine WHERE workspace_id = $1`,
    [workspaceId],
  );
  const kept = rows.flatMap(({ bytes }) => bytes ?? []);
  expect(kept.length).toBeGreaterThan(0);
  for (const bytes of kept) expect(bytes.subarray(0, 2).toString("hex")).not.toBe("1f8b");
  expect(kept.map(String).join()).not.toContain(secret);
});

it.each([
  ["that decodes to an event of 64 KB", 60_000, true],
  ["that decodes to more, which is not decoded on receipt", 70_000, false],
])("an unsigned gzip body %s is kept with what it reads as", async (_, length, reads) => {
  const { source, workspaceId } = await makeWorkspace();
  const body = gzipSync(envelope({ data: { text: "x".repeat(length) } }));
  expect(body.length).toBeLessThan(1000);
  expect((await post(source, body, sign("another"), "gzip")).status).toBe(401);
  const { rows } = await pool().query("SELECT reads_as_event FROM quarantine WHERE workspace_id = $1", [workspaceId]);
  expect(rows).toEqual([{ reads_as_event: reads }]);
});

it("a secret is looked for in an unsigned body decoded to 64 KB, and of more than that nothing is kept", async () => {
  const { name, workspaceId } = await makeSender("microsoft-graph");
  const bomb = gzipSync(JSON.stringify({ value: [{ id: "n1", clientState: "another", text: "x".repeat(70_000) }] }));
  expect((await receiver.send(name, { body: bomb, headers: { "content-encoding": "gzip" } })).status).toBe(401);
  const { rows } = await pool().query("SELECT length(body) AS bytes FROM quarantine WHERE workspace_id = $1", [workspaceId]);
  expect(rows).toEqual([{ bytes: 0 }]);
});

it.each([
  ["names without end", "x,".repeat(8000)],
  ["charsets without end", "utf-8,".repeat(2000)],
])("a header of %s is not read name by name", (_, header) => {
  const lookedUp = vi.spyOn(Set.prototype, "has");
  const decoders = vi.spyOn(globalThis, "TextDecoder");
  const decoded = decodeBody(Buffer.from(envelope()), header, 1000);
  const counts = [lookedUp.mock.calls.length, decoders.mock.calls.length];
  vi.restoreAllMocks();
  expect(decoded).toEqual({ ok: false, why: "unreadable" });
  expect(counts).toEqual([0, 0]);
});

it("requests that can't be decoded count as rejected, and beyond the limit for an address they are answered 429", async () => {
  const { source, sourceId } = await makeWorkspace();
  const own = createReceiver();
  receiver.renew(own);
  const refuse = () => post(source, envelope(), sign("another"), "gzip");
  expect(await refuse()).toMatchObject({ status: 415 });
  for (let n = 1; n < REJECTIONS_PER_IP; n += 1) await own.limits.check("src_another", "127.0.0.1", 0);
  expect(await refuse()).toMatchObject({ status: 429 });
  await own.rejections.flush();
  const { rows } = await pool().query(
    "SELECT sum(rejected)::int AS rejected, sum(kept)::int AS kept FROM rejection_minutes WHERE source_id = $1",
    [sourceId],
  );
  expect(rows).toEqual([{ rejected: 2, kept: 0 }]);
});

it("a small compressed body takes of the time for large ones, and a sender of compressed events before has its own", async () => {
  let spent = 0;
  const own = createReceiver({ clock: { ...systemClock, elapsed: () => systemClock.elapsed() + spent } });
  receiver.renew(own);
  const [known, stranger] = [await makeWorkspace(), await makeWorkspace()];
  const sendTo = ({ source }: typeof known, id: string, secret = SECRET) => {
    const body = gzipSync(envelope({ id }));
    return post(source, body, sign(body, secret), "gzip");
  };
  expect(await sendTo(known, "evt_1")).toMatchObject({ status: 200, duplicate: false });
  await own.reserializing.spend({ sourceId: "src_another", remoteAddress: "127.0.0.1", bytes: env().WEBHOOK_MAX_BYTES }, () => {
    spent += LARGE_MS_PER_IP + 1;
    return { result: null, inVain: true };
  });
  expect(await sendTo(stranger, "evt_1", "another")).toMatchObject({ status: 429 });
  expect(await sendTo(known, "evt_2")).toMatchObject({ status: 200, duplicate: false });
});

import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { env } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { processReceiver } from "#lib/flows/ingest/receiver";
import { REJECTIONS_PER_IP } from "#lib/ingest/receiver-limits";
import { createWebServer } from "#lib/processes/server/web-server";
import { useDatabase } from "#tests/support/database";
import { expectPace } from "#tests/support/pace";
import { sayRaw, statusOf } from "#tests/support/raw-request";
import { receiversUnderTest, type TestReceiver } from "#tests/support/receivers";
import { countWaiting } from "#tests/support/waiting";
import { envelope, makeWorkspace, sign, signed } from "#tests/support/webhooks";

// The table of the receiver's answers that its users rely on, row by row: what is answered, and what is kept of it.

useDatabase();

/** The server of `npm start`, whole: over the wire, behind its check of heads. */
function webServer(): TestReceiver {
  let server: Server;
  const port = () => (server.address() as AddressInfo).port;
  return {
    name: "the web process",
    renew: () => undefined,
    open: async () => {
      const made = createWebServer();
      server = made.server;
      made.handlePages(async (_, response) => void response.writeHead(404).end());
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
    port,
    send: (source, { method = "POST", headers = {}, body }) =>
      fetch(`http://127.0.0.1:${port()}/webhooks/${source}`, { method, headers, body: body === undefined ? null : Buffer.from(body) }),
  };
}

describe.each(receiversUnderTest(webServer()))("through $name", (receiver) => {
  let [source, sourceId] = ["", ""];

  beforeAll(() => receiver.open());
  afterAll(() => receiver.close());
  beforeEach(async () => {
    receiver.renew(processReceiver());
    ({ source, sourceId } = await makeWorkspace());
  });

  type Init = Parameters<TestReceiver["send"]>[1];

  /** @returns status and body; of a problem its code, and that it is one */
  async function post(init: Init, to = source) {
    const answer = await receiver.send(to, init);
    const isProblem = answer.headers.get("content-type") === "application/problem+json";
    const body = (await answer.json()) as Record<string, unknown>;
    return isProblem ? { status: answer.status, problem: body.code } : { status: answer.status, ...body };
  }

  const rows = async (table: string) => (await pool().query(`SELECT * FROM ${table} WHERE source_id = $1`, [sourceId])).rows;

  /** What is kept of the source's requests. */
  async function kept() {
    const [events, keys, conflicts, quarantine] = await Promise.all(
      ["events", "event_keys", "event_conflicts", "quarantine"].map((table) => rows(table)),
    );
    return {
      events: events?.map(({ event_id: id, recognised }) => (recognised ? id : `${id}, unrecognised`)),
      repeats: keys?.map(({ repeats }) => repeats),
      conflicts: conflicts?.length,
      quarantine: quarantine?.map(({ reason, verified }) => `${reason}${verified ? ", verified" : ""}`),
    };
  }

  const NOTHING = { events: [], repeats: [], conflicts: 0, quarantine: [] };
  const inQuarantine = (...quarantine: string[]) => ({ ...NOTHING, quarantine });

  /** How often an answer was counted, as /metrics shows it. */
  const counted = async (outcome: string) =>
    (await processReceiver().metrics.webhookRequests.get()).values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;

  it("verified, new", async () => {
    expect(await post(signed(envelope({ id: "evt_1" })))).toEqual({ status: 200, received: true, id: "evt_1", duplicate: false });
    expect(await kept()).toEqual({ ...NOTHING, events: ["evt_1"], repeats: [0] });
    const [row] = await rows("events");
    expect([row.signature_form, await countWaiting(row.workspace_id)]).toEqual(["raw", 1]);
  });

  it("verified, seen before", async () => {
    const message = signed(envelope({ id: "evt_1" }));
    await post(message);
    expect(await post(message)).toEqual({ status: 200, received: true, id: "evt_1", duplicate: true });
    expect(await kept()).toEqual({ ...NOTHING, events: ["evt_1"], repeats: [1] });
  });

  it("verified, same id, other bytes: three bodies of 64 kB are kept, of more hash, length and count", async () => {
    const filler = "x".repeat(70_000);
    const bodies = [0, 1, 2, 3, 4, 5, 5].map((created) => signed(envelope({ id: "evt_1", created, data: { filler } })));
    const [first, ...others] = bodies;
    await post(first ?? {});
    const conflict = { status: 200, received: true, id: "evt_1", duplicate: true, conflict: true };
    for (const other of others) expect(await post(other)).toEqual(conflict);
    expect(await kept()).toMatchObject({ events: ["evt_1"], conflicts: 5, quarantine: [] });
    const { rows: conflicts } = await pool().query(
      `SELECT length(body) AS kept, body_bytes AS bytes, length(body_sha256) AS hash, repeats FROM event_conflicts
       WHERE source_id = $1 ORDER BY length(body) DESC, repeats`,
      [sourceId],
    );
    const bytes = first?.body.length;
    const expected = [65_536, 65_536, 65_536, 0, 0].map((length) => ({ kept: length, bytes, hash: 32, repeats: 0 }));
    expect(conflicts).toEqual([...expected.slice(0, 4), { ...expected[4], repeats: 1 }]);
  });

  it("verified in its second form only", async () => {
    const text = envelope({ id: "evt_1" });
    const headers = { "x-webhook-signature": sign(text) };
    expect(await post({ headers, body: JSON.stringify(JSON.parse(text), null, 1) })).toMatchObject({ status: 200, id: "evt_1" });
    expect(await kept()).toMatchObject({ events: ["evt_1"], quarantine: [] });
  });

  it.each([
    ["with a duplicate key", (text: string) => text.replace("{", '{"type":"a",')],
    ["of more than twice its canonical text plus 1 kB", (text: string) => text + " ".repeat(text.length + 1025)],
  ])("verified in its second form only, %s", async (_, change) => {
    const text = envelope({ id: "evt_1" });
    const headers = { "x-webhook-signature": sign(text) };
    expect(await post({ headers, body: change(text) })).toEqual({ status: 401, problem: "signature_mismatch" });
    expect(await kept()).toEqual(inQuarantine("signature_mismatch"));
  });

  it("verified, unknown type", async () => {
    expect(await post(signed(envelope({ id: "evt_1", type: "moon.landed" })))).toMatchObject({ status: 200, duplicate: false });
    expect(await kept()).toMatchObject({ events: ["evt_1, unrecognised"] });
  });

  it.each([
    ["no id", envelope({ id: undefined })],
    ["a wrong type", envelope({ created: "yesterday" })],
    ["not an object", "[]"],
  ])("verified, not an envelope: %s", async (_, body) => {
    expect(await post(signed(body))).toEqual({ status: 202, received: true, quarantined: "invalid_envelope" });
    expect(await kept()).toEqual(inQuarantine("invalid_envelope, verified"));
    expect((await rows("quarantine"))[0]?.body.toString()).toBe(body);
  });

  it.each([
    ["missing", "signature_missing", undefined],
    ["malformed", "signature_malformed", "abc"],
    ["wrong", "signature_mismatch", sign("{}", "another")],
  ])("signature %s", async (_, code, signature) => {
    const headers: Record<string, string> = signature === undefined ? {} : { "x-webhook-signature": signature };
    expect(await post({ body: envelope(), headers })).toEqual({ status: 401, problem: code });
    expect(await kept()).toEqual(inQuarantine(code));
  });

  it.each([
    ["not JSON", Buffer.from("not json")],
    ["invalid UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
  ])("%s: 401 unverified, 202 verified", async (_, body) => {
    expect(await post({ body, headers: { "x-webhook-signature": sign("another") } })).toEqual({
      status: 401,
      problem: "signature_mismatch",
    });
    expect(await post({ body, headers: { "x-webhook-signature": sign(body) } })).toEqual({
      status: 202,
      received: true,
      quarantined: "malformed_json",
    });
    expect((await kept()).quarantine?.toSorted()).toEqual(["malformed_json, verified", "signature_mismatch"]);
  });

  it("unknown source", async () => {
    expect(await post(signed(envelope()), `nobody-${randomUUID()}`)).toEqual({ status: 404, problem: "unknown_source" });
    expect(await kept()).toEqual(NOTHING);
  });

  it("source without a secret", async () => {
    await pool().query("DELETE FROM source_secrets WHERE source_id = $1", [sourceId]);
    expect(await post(signed(envelope()))).toEqual({ status: 503, problem: "source_without_secret" });
    expect(await kept()).toEqual(NOTHING);
  });

  it("body too large", async () => {
    const before = await counted("too_large");
    const body = "x".repeat(env().WEBHOOK_MAX_BYTES + 1);
    expect(await post(signed(body))).toEqual({ status: 413, problem: "too_large" });
    expect([await counted("too_large"), await kept()]).toEqual([before + 1, NOTHING]);
  });

  it("a coding that can't be read: counted unsigned, in quarantine signed", async () => {
    const before = await counted("content_encoding");
    const body = envelope();
    const send = (signature: string) => post({ body, headers: { "x-webhook-signature": signature, "content-encoding": "zstd" } });
    expect(await send(sign("another"))).toEqual({ status: 415, problem: "content_encoding" });
    expect([await counted("content_encoding"), await kept()]).toEqual([before + 1, NOTHING]);
    expect(await send(sign(body))).toMatchObject({ status: 202, quarantined: "malformed_json" });
    expect(await kept()).toEqual(inQuarantine("malformed_json, verified"));
  });

  it.each(["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"])("other methods: %s", async (method) => {
    const before = await counted("method_not_allowed");
    const answer = await receiver.send(source, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    expect([await counted("method_not_allowed"), await kept()]).toEqual([before + 1, NOTHING]);
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("%s: as the decoded body, whichever bytes were signed, at most WEBHOOK_MAX_BYTES", async (coding, code) => {
    const body = envelope({ id: "evt_1" });
    const coded = code(body);
    const send = (sent: Uint8Array, signature: string) =>
      post({ body: sent, headers: { "x-webhook-signature": signature, "content-encoding": coding } });
    expect(await send(coded, sign(coded))).toEqual({ status: 200, received: true, id: "evt_1", duplicate: false });
    expect(await send(coded, sign(body))).toEqual({ status: 200, received: true, id: "evt_1", duplicate: true });
    expect((await rows("events"))[0]?.body.toString()).toBe(body);
    const large = code("x".repeat(env().WEBHOOK_MAX_BYTES + 1));
    expect(await send(large, sign("another"))).toEqual({ status: 413, problem: "too_large" });
    expect(await send(large, sign(large))).toMatchObject({ status: 202, quarantined: "malformed_json" });
    expect(await kept()).toEqual({ ...NOTHING, events: ["evt_1"], repeats: [1], quarantine: ["malformed_json, verified"] });
  });

  /** Its path as it is written: a client would resolve it. */
  const postPath = async (path: string) => {
    const { body, headers } = signed(envelope({ id: "evt_1" }));
    const head = Object.entries({ host: "localhost", connection: "close", "content-length": String(body.length), ...headers });
    const lines = head.map(([name, value]) => `${name}: ${value}`);
    return statusOf(await sayRaw(receiver.port() ?? 0, [`POST ${path} HTTP/1.1`, ...lines, "", body].join("\r\n")));
  };
  const hasWire = receiver.name === "the web process";

  it
    .runIf(hasWire)
    .each(["/webhooks/../webhooks/NAME", "/webhooks/x/%2e%2e/NAME", "/webhooks/NAME/..", "/webhooks/%2E%2e", "/webhooks/.%2e/x"])(
    "%s",
    async (path) => {
      expect(await postPath(path.replace("NAME", source))).toBe(400);
      expect(await kept()).toEqual(NOTHING);
    },
  );

  it.runIf(hasWire).each(["//webhooks/NAME", "/webhooks//NAME/"])("%s is received", async (path) => {
    expect(await postPath(path.replace("NAME", source))).toBe(200);
    expect(await kept()).toEqual({ ...NOTHING, events: ["evt_1"], repeats: [0] });
  });

  it("too many: 429 with Retry-After, counted; what verifies is still taken", async () => {
    const { limits } = processReceiver();
    const address = receiver.port() === null ? null : "127.0.0.1";
    await Promise.all(Array.from({ length: REJECTIONS_PER_IP }, () => limits.check(`nobody-${randomUUID()}`, address, null)));
    const before = await counted("too_many_requests");
    const answer = await receiver.send(source, { body: "{}" });
    expect([answer.status, await answer.json()]).toMatchObject([429, { code: "too_many_requests" }]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect([await counted("too_many_requests"), await kept()]).toEqual([before + 1, NOTHING]);
    expect(await post(signed(envelope({ id: "evt_1" })))).toMatchObject({ status: 200 });
  });

  it("the database can't commit: 503 with Retry-After within 5 s, nothing kept; the retry is taken", async () => {
    const message = signed(envelope({ id: "evt_2" }));
    await post(signed(envelope({ id: "evt_1" }))); // the source is known by now
    const blocker = await pool().connect();
    await blocker.query("BEGIN");
    await blocker.query("LOCK TABLE event_keys IN ACCESS EXCLUSIVE MODE");
    const started = performance.now();
    const answer = await receiver.send(source, message);
    const took = performance.now() - started;
    await blocker.query("ROLLBACK");
    blocker.release();
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: "unavailable" }]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expectPace(took, 5000);
    expect(await kept()).toMatchObject({ events: ["evt_1"] });
    expect(await post(message)).toEqual({ status: 200, received: true, id: "evt_2", duplicate: false });
  });
});

it.each(["/webhooks", "/webhooks/", "//webhooks//?a=1"])(
  "a webhook that is posted to %s, with no source's name, is told so",
  async (url) => {
    const receiver = webServer();
    await receiver.open();
    const answer = await fetch(`http://127.0.0.1:${receiver.port()}${url}`, { method: "POST", body: "{}" });
    await receiver.close();
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining("The URL names no source.")]);
  },
);

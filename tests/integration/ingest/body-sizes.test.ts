import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { BoundedBodyReader } from "#lib/http/request-body";
import { useDatabase } from "#tests/support/database";
import { headOf, openWire, sayRaw, statusOf } from "#tests/support/raw-request";
import { receiversUnderTest, useNodeReceiver, useReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, sign, signed } from "#tests/support/webhooks";

const LIMIT = 65_536;
useDatabase({ WEBHOOK_MAX_BYTES: String(LIMIT) });

/** An event of exactly so many bytes. */
function sized(length: number): string {
  const base = envelope({ data: { filler: "" } });
  return base.replace('"filler":""', `"filler":"${"x".repeat(length - base.length)}"`);
}

const SIZES: [length: number, status: number][] = [
  [LIMIT - 1, 200],
  [LIMIT, 200],
  [LIMIT + 1, 413],
  [LIMIT * 3, 413],
];

describe.each(receiversUnderTest())("through the $name receiver", (receiver) => {
  useReceiver(receiver);

  it.each(SIZES)("a body of %i bytes is answered %i, with and without an announced length", async (length, status) => {
    const { source, sourceId } = await makeWorkspace();
    const announced = signed(sized(length));
    expect((await receiver.send(source, announced)).status).toBe(status);
    const { headers, body } = signed(sized(length));
    const chunks = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < body.length; at += 1000) controller.enqueue(Buffer.from(body.slice(at, at + 1000)));
        controller.close();
      },
    });
    expect((await receiver.send(source, { headers, stream: chunks })).status).toBe(status);
    const { rows } = await pool().query("SELECT count(*) AS n FROM events WHERE source_id = $1", [sourceId]);
    expect(rows).toEqual([{ n: status === 200 ? 2 : 0 }]);
  });
});

describe.each(receiversUnderTest())("with little room and little patience, through the $name receiver", (receiver) => {
  useReceiver(receiver);
  beforeEach(() => receiver.renew(createReceiver({ bodies: new BoundedBodyReader({ maxBytes: 40_000, timeoutMs: 500 }) })));

  it("a body that never ends is answered 408, one that finds no room 503 with Retry-After, and the next one is taken", async () => {
    const { source } = await makeWorkspace();
    const { headers } = signed("{}");
    const endless = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(Buffer.from("{")) });
    expect((await receiver.send(source, { headers, stream: endless })).status).toBe(408);
    receiver.renew(createReceiver({ bodies: new BoundedBodyReader({ maxBytes: 40_000, timeoutMs: 30_000 }) }));
    const large = await receiver.send(source, signed(sized(50_000)));
    expect([large.status, await large.json()]).toEqual([503, expect.objectContaining({ code: "overloaded" })]);
    expect(Number(large.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await receiver.send(source, signed(envelope()))).status).toBe(200);
  });
});

describe("on the wire", () => {
  const receiver = useNodeReceiver();
  const port = () => receiver.port() ?? 0;

  const stored = async (sourceId: string) => (await pool().query("SELECT 1 FROM events WHERE source_id = $1", [sourceId])).rowCount;

  it("a length that promises less than comes cuts the body there, and what follows is no request", async () => {
    const { source, sourceId } = await makeWorkspace();
    const body = envelope();
    const heard = await sayRaw(port(), headOf(source, { "content-length": "10", "x-webhook-signature": sign(body) }), body);
    expect(statusOf(heard)).toBe(400);
    expect(heard.match(/HTTP\/1\.1 2\d\d/)).toBeNull();
    expect(await stored(sourceId)).toBe(0);
  });

  it("a length that promises more than comes stores nothing when the sender goes away, and nothing when it waits", async () => {
    const { source, sourceId } = await makeWorkspace();
    const body = envelope();
    const head = headOf(source, { "content-length": String(body.length + 1), "x-webhook-signature": sign(body) });
    const gone = openWire(port());
    gone.socket.end(Buffer.from(head + body));
    expect(statusOf(await gone.ended)).toBe(400); // node:http itself: half a request
    const waits = openWire(port());
    waits.socket.write(head + body);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(waits.heard()).toBe("");
    waits.socket.destroy();
    expect(await stored(sourceId)).toBe(0);
  });

  it("a sender of too much that listens only when all is sent hears its answer", async () => {
    const wire = openWire(port());
    wire.socket.pause();
    wire.socket.write(headOf("nobody", { "content-length": "8000000" }) + "x".repeat(8_000_000), () => wire.socket.resume());
    expect([404, 413]).toContain(statusOf(await wire.ended));
  });

  it("a sender that goes away in the middle of its body disturbs nobody", async () => {
    const wire = openWire(port());
    wire.socket.write(`${headOf("nobody", { "content-length": "1000" })}half`);
    setTimeout(() => wire.socket.destroy(), 50);
    await wire.ended;
    expect(await sayRaw(port(), headOf("nobody", { "content-length": "2" }), "{}")).toContain("unknown_source");
  });

  it("a signed body that is no event, and larger than all that may wait for quarantine, is kept whole", { timeout: 120_000 }, async () => {
    const mib = 1_048_576;
    resetEnv({ WEBHOOK_MAX_BYTES: String(64 * mib) }); // the largest that the setting allows
    onTestFinished(() => void resetEnv({ WEBHOOK_MAX_BYTES: String(LIMIT) }));
    receiver.renew();
    const { source, sourceId } = await makeWorkspace();
    const body = JSON.stringify(["x".repeat(17 * mib)]);
    expect((await receiver.send(source, signed(body))).status).toBe(202);
    const { rows } = await pool().query("SELECT octet_length(body) AS bytes FROM quarantine WHERE source_id = $1", [sourceId]);
    expect(rows).toEqual([{ bytes: body.length }]);
  });
});

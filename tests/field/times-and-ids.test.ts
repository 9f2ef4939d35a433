import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readEvent } from "#lib/flows/events/read-event";
import { fitsOf } from "#lib/platform/diagnosis/learn-scheme";
import { schemeOf } from "#lib/platform/schemes/templates";
import { useDatabase } from "#tests/support/database";
import { useNodeReceiver } from "#tests/support/receivers";
import { useSenders } from "#tests/support/sender-source";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

// Times in other units than seconds, and IDs that no URL can hold.

useDatabase();
const receiver = useNodeReceiver();
const { makeSender, newestQuarantined } = useSenders(receiver);

const hmac = (text: string, secret: string) => createHmac("sha256", secret).update(text).digest("hex");

describe("a signed time in milliseconds", () => {
  const BODY = JSON.stringify({ id: "evt_ms", type: "a", created: 1 });
  const signedAt = (ms: number, secret: string) => ({ "stripe-signature": `t=${ms},v1=${hmac(`${ms}.${BODY}`, secret)}` });

  // adcontextprotocol/adcp#436, #440
  it("verifies, and its age is that of the time that it says", async () => {
    const { workspaceId, post, secret } = await makeSender("stripe");
    expect((await post(BODY, signedAt(Date.now(), secret))).status).toBe(200);
    expect(await readEvent(workspaceId, "evt_ms")).toMatchObject({ verification: { form: "signed" } });
    const late = BODY.replace("evt_ms", "evt_ms2");
    const before = Date.now() - 3_600_000;
    await post(late, { "stripe-signature": `t=${before},v1=${hmac(`${before}.${late}`, secret)}` });
    expect(await readEvent(workspaceId, "evt_ms2")).toMatchObject({ verification: { form: "signed_late" } });
  });

  it("is in milliseconds again when the event is re-signed, and a sender that writes it is learned", () => {
    const scheme = schemeOf("stripe", {});
    const now = new Date(1_795_880_000_123);
    const request = { body: Buffer.from(BODY), secret: "secret-of-8", url: "https://a.example/webhooks/b", id: "1", now };
    const received = signedAt(1_760_000_000_000, "secret-of-8");
    expect(scheme.sign({ ...request, received })["stripe-signature"]).toMatch(/^t=1795880000123,/);
    expect(scheme.sign(request)["stripe-signature"]).toMatch(/^t=1795880000,/);
    const headers = { "x-time": "1795880000123", "x-sig": hmac(`1795880000123.${BODY}`, "secret-of-8") };
    const unknown = { request: { ...request, headers, remoteAddress: null }, cut: false, receivedAt: now.getTime() };
    expect(fitsOf(unknown, "secret-of-8")).toMatchObject([{ template: "hmac", scheme: { hmac: { timestampHeader: "x-time" } } }]);
  });
});

describe("an event's time", () => {
  // docs.opsgenie.com, webhook integration: createdAt and updatedAt in nanoseconds
  it.each([
    ["nanoseconds are read", "1760000000123456789", "2025-10-09T08:53:20.000Z"],
    ["text of nanoseconds is read", '"1760000000123456789"', "2025-10-09T08:53:20.000Z"],
    ["one beyond any date is the time of receipt", "1e30", null],
    ["one that is no number a double holds is the time of receipt", "99999999999999999999", null],
  ])("%s", async (_, at, created) => {
    const { workspaceId, send } = await makeSender("github", { reading: { id: ["id"], type: ["type"], created: ["at"] } });
    const answer = await send(`{"id":"evt_ns","type":"alert","at":${at}}`);
    expect(answer.status).toBe(200);
    const event = await readEvent(workspaceId, "evt_ns");
    if (created === null) expect(Date.now() - Date.parse(event?.created ?? "")).toBeLessThan(60_000);
    else expect(event?.created).toBe(created);
  });

  it("in an envelope of the platform may be in nanoseconds", async () => {
    const { source, workspaceId } = await makeWorkspace();
    const body = envelope({ id: "evt_ns" }).replace('"created":1760000000', '"created":1760000000123456789');
    expect((await receiver.send(source, signed(body))).status).toBe(200);
    expect((await readEvent(workspaceId, "evt_ns"))?.created).toBe("2025-10-09T08:53:20.000Z");
  });
});

// whatwg/url#281: a path's segment .. is taken out, escaped or not
describe.each([".", ".."])("an ID that is %s", (id) => {
  it("is refused in an envelope, with the reason", async () => {
    const { source, workspaceId } = await makeWorkspace();
    expect((await receiver.send(source, signed(envelope({ id })))).status).toBe(202);
    expect((await newestQuarantined(workspaceId))?.detail).toMatch(/id:? is \. or \.\./);
  });

  it("of another sender is passed over for the next place, or the body's hash", async () => {
    const { send } = await makeSender("github", { reading: { id: ["id", "other"], type: ["type"] } });
    expect(await (await send(JSON.stringify({ id, other: "evt_2", type: "a" }))).json()).toMatchObject({ id: "evt_2" });
    expect(await (await send(JSON.stringify({ id, type: "a" }))).json()).toMatchObject({ id: expect.stringMatching(/^sha256:/) });
  });
});

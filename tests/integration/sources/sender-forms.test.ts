import { createHmac, generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { challengeSettings } from "#lib/contracts/sources/challenge-settings";
import { hmacSettings, jwtSettings } from "#lib/contracts/sources/scheme-settings";
import { pool } from "#lib/db/pool";
import { readEvent } from "#lib/flows/events/read-event";
import { previewFilter } from "#lib/flows/forwarding/test-destination";
import { releaseQuarantined } from "#lib/flows/quarantine/release-quarantined";
import { fetchForSenders } from "#lib/flows/sources/fetch-for-senders";
import { createSource } from "#lib/flows/sources/manage-sources";
import { openHeaders } from "#lib/vault/sealed-values";
import { unaudited } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { applyAll, makeDestination } from "#tests/support/forwarding/destinations";
import { useNodeReceiver } from "#tests/support/receivers";
import { countOf, useSenders } from "#tests/support/sender-source";
import { dropboxSignBody, dropboxSignEvent, FORMS } from "#tests/support/signature-forms";

useDatabase();
const receiver = useNodeReceiver();
const { makeSender, newestQuarantined } = useSenders(receiver);

const SECONDS = String(Math.floor(Date.now() / 1000));
const sign = (secret: string, content: string) => createHmac("sha256", secret).update(content).digest("hex");
const eventOf = async (workspaceId: Parameters<typeof readEvent>[0]) => {
  const { rows } = await pool().query<{ event_id: string; headers: Record<string, string>; source_id: string; body: Buffer }>(
    "SELECT event_id, headers, source_id, body FROM events WHERE workspace_id = $1 ORDER BY seq DESC LIMIT 1",
    [workspaceId],
  );
  return rows[0];
};

describe("a signature in the query, as PandaDoc's", () => {
  const SECRET = "pandadoc-shared-key";
  const data = { id: "msFYActMfJHqNTKH8YSvF1", status: "document.completed", date_modified: "2026-11-28T10:00:00Z" };
  const body = JSON.stringify([{ event: "document_state_changed", data }]);
  const signature = sign(SECRET, body);
  const over = {
    secret: SECRET,
    scheme: { hmac: hmacSettings.parse({ query: "signature" }) },
    reading: { items: "$", id: ["{event}.{data.id}.{data.date_modified}"], type: ["event"], created: ["data.date_modified"] },
  };

  it("is stored, and the signature is neither in clear in the row nor on a page", async () => {
    const { workspaceId, post } = await makeSender("hmac", over);
    const answer = await post(body, { "content-type": "application/json" }, `?tenant=7&signature=${signature}`);
    expect(answer.status).toBe(200);
    const row = await eventOf(workspaceId);
    if (!row) throw new Error("the event is stored");
    expect(JSON.stringify(row.headers)).not.toContain(signature);
    expect(row.headers[":query"]).toBe("tenant=7&signature=%5Bmasked%5D");
    expect(await openHeaders(row.headers, { workspaceId, sourceId: row.source_id })).toMatchObject({
      ":query": `tenant=7&signature=${signature}`,
    });
    const shown = await readEvent(workspaceId, row.event_id);
    expect(JSON.stringify(shown)).not.toContain(signature);
    expect(shown?.verification).toMatchObject({ form: "signed" });
    // Twice, or missing, it proves nothing.
    expect((await post(body, {}, `?signature=${signature}&signature=${signature}`)).status).toBe(401);
    expect((await post(body, {})).status).toBe(401);
  });

  it("of a sender that isn't known yet is sealed too, and verifies once it is known", async () => {
    const { workspaceId, post, change } = await makeSender("unknown");
    expect((await post(body, {}, `?tenant=7&signature=${signature}`)).status).toBe(401);
    const quarantined = await newestQuarantined(workspaceId);
    expect(JSON.stringify(quarantined)).not.toContain(signature);
    expect(quarantined?.headers[":query"]).toBe("tenant=7&signature=%5Bmasked%5D");
    const { reading, scheme } = over;
    await change({ template: "hmac", secret: SECRET, scheme, reading });
    expect(await releaseQuarantined(workspaceId, quarantined?.id ?? "", "ada", new Date())).toMatchObject({ released: true });
  });
});

describe("a signature over fields of the body, as Dropbox Sign's", () => {
  const API_KEY = "dropbox-sign-api-key";
  const over = {
    secret: API_KEY,
    scheme: { hmac: hmacSettings.parse(FORMS["Dropbox Sign"].settings), answer: { text: "Hello API Event Received" } },
    reading: { field: "json", id: ["event.event_hash"], type: ["event.event_type"], created: ["event.event_time"] },
  };
  const FILE =
    '--------------------------d74496d66958873e\r\nContent-Disposition: form-data; name="file"; filename="nda.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7\r\n';

  it("is partly signed, and answered with the sender's text; a duplicate changes nothing", async () => {
    const { workspaceId, post, created } = await makeSender("hmac", over);
    expect(created).toMatchObject({ trust: "partly", covers: ["json.event.event_type"], proof: "" });
    const body = dropboxSignBody(dropboxSignEvent(API_KEY, "signature_request_sent", SECONDS), FILE).toString();
    for (let n = 0; n < 2; n += 1) {
      const answer = await post(body, { "content-type": "multipart/form-data; boundary=------------------------d74496d66958873e" });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
      expect(await answer.text()).toBe("Hello API Event Received");
    }
    expect(await countOf("events", workspaceId)).toBe(1);
    const row = await eventOf(workspaceId);
    const event = await readEvent(workspaceId, row?.event_id ?? "");
    expect(event).toMatchObject({
      type: "signature_request_sent",
      verification: { form: "partly_signed", covers: ["json.event.event_type"] },
      envelope: {
        signature_request: { title: "NDA" },
        files: [{ field: "file", filename: "nda.pdf", type: "application/pdf", bytes: 8, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      },
    });
  });
});

describe("bodies", () => {
  it("lists in lists are an event each, with what stands around them, as QuickBooks'", async () => {
    const { workspaceId, post } = await makeSender("token", {
      secret: "a-token-of-the-sender",
      reading: {
        items: "eventNotifications[].dataChangeEvent.entities[]",
        id: ["{outer:realmId}.{name}.{id}.{lastUpdated}"],
        type: ["{name}.{operation}"],
        created: ["lastUpdated"],
      },
    });
    const entity = (id: string) => ({ name: "Customer", id, operation: "Create", lastUpdated: "2026-11-28T10:00:00Z" });
    const notification = (realmId: string, ...ids: string[]) => ({ realmId, dataChangeEvent: { entities: ids.map(entity) } });
    const body = JSON.stringify({ eventNotifications: [notification("1", "1", "2"), notification("2", "1"), { realmId: "3" }] });
    const answer = await post(body, { authorization: "Bearer a-token-of-the-sender" });
    expect(answer.status).toBe(200);
    expect(await countOf("events", workspaceId)).toBe(3);
    expect((await answer.json()) as unknown).toMatchObject({
      events: [{ id: "1.Customer.1.2026-11-28T10:00:00Z" }, {}, { id: "2.Customer.1.2026-11-28T10:00:00Z" }],
    });
  });

  it("a request of headers alone is an event, as Google Drive's", async () => {
    const { workspaceId, post } = await makeSender("token", {
      secret: "a-channel-token",
      scheme: { token: { header: "x-goog-channel-token", prefix: "" } },
      reading: {
        body: "headers",
        id: ["{header:x-goog-channel-id}.{header:x-goog-message-number}"],
        type: ["header:x-goog-resource-state"],
      },
    });
    const headers = {
      "x-goog-channel-token": "a-channel-token",
      "x-goog-channel-id": "c1",
      "x-goog-message-number": "10",
      "x-goog-resource-state": "update",
    };
    expect((await post("", headers)).status).toBe(200);
    expect(await (await post("", headers)).json()).toMatchObject({ id: "c1.10", duplicate: true });
    expect(await readEvent(workspaceId, "c1.10")).toMatchObject({ type: "update", raw: "", envelope: {} });
  });

  it("XML is read without namespaces, a single entry as a list, and answered as its sender wants it", async () => {
    const ack = "<soapenv:Envelope><soapenv:Body><Ack>true</Ack></soapenv:Body></soapenv:Envelope>";
    const { workspaceId, post } = await makeSender("token", {
      secret: "a-token-of-the-sender",
      scheme: { token: { header: "authorization", prefix: "Bearer " }, answer: { xml: ack } },
      reading: {
        body: "xml",
        items: "Envelope.Body.notifications.Notification",
        id: ["Id"],
        type: ["text:contact.changed"],
        data: "sObject",
      },
    });
    const authorization = "Bearer a-token-of-the-sender";
    const soap = (inner: string, before = "") =>
      `<?xml version="1.0"?>${before}<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body><notifications>${inner}</notifications></soapenv:Body></soapenv:Envelope>`;
    const one = (id: string) => `<Notification><Id>${id}</Id><sObject><sf:Name>A &amp; B</sf:Name></sObject></Notification>`;
    const answer = await post(soap(one("04l1")), { authorization });
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([200, "text/xml; charset=utf-8", ack]);
    expect((await post(soap(one("04l2") + one("04l3")), { authorization })).status).toBe(200);
    expect(await countOf("events", workspaceId)).toBe(3);
    const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb">]>';
    expect((await post(soap(one("&b;"), bomb), { authorization })).status).toBe(200);
    expect(await newestQuarantined(workspaceId)).toMatchObject({ reason: "malformed_json" });
    expect(await countOf("events", workspaceId)).toBe(3);
  });
});

it("a destination's filter reads a body as its source does: a form's field and XML", async () => {
  const authorization = "Bearer a-token-of-the-sender";
  const over = { secret: "a-token-of-the-sender" };
  const form = await makeSender("token", { ...over, reading: { field: "json", id: ["id"], type: ["type"] } });
  const filter = { status: "done" };
  const url = "https://destination.example.com/";
  await makeDestination(form.workspaceId, { url, filter });
  const send = (status: string) =>
    form.post(`json=${encodeURIComponent(JSON.stringify({ id: status, type: "a.b", status }))}`, { authorization });
  expect([(await send("done")).status, (await send("open")).status]).toEqual([200, 200]);
  const xml = await makeSender("token", { ...over, reading: { body: "xml", id: ["e.id"], type: ["e.type"], data: "e" } });
  await makeDestination(xml.workspaceId, { url, filter: { e: filter } });
  const sendXml = (status: string) => xml.post(`<e><id>${status}</id><type>a.b</type><status>${status}</status></e>`, { authorization });
  expect([(await sendXml("done")).status, (await sendXml("open")).status]).toEqual([200, 200]);
  await applyAll();
  for (const [{ workspaceId }, settings] of [
    [form, filter],
    [xml, { e: filter }],
  ] as const) {
    const { rows } = await pool().query("SELECT event_id FROM forward_deliveries WHERE workspace_id = $1", [workspaceId]);
    expect(rows).toEqual([{ event_id: "done" }]);
    expect(await previewFilter(workspaceId, { types: [], sources: [], filter: settings }, new Date())).toMatchObject({
      matching: 1,
      of: 2,
    });
  }
});

it("the command that proves a source has the signature in the URL where the sender has it there", async () => {
  const { created } = await makeSender("hmac", { scheme: { hmac: hmacSettings.parse({ query: "signature" }) } });
  const [, url = ""] = /^curl -i '([^']*)'/.exec(created.proof) ?? [];
  expect(new URL(url).searchParams.get("signature")).toMatch(/^[0-9a-f]{64}$/);
});

it("keys of a JWKS are fetched by a worker from the settings' URL, and the sender's next try is stored", async () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const JWKS = "https://acme.example.com/.well-known/jwks";
  const { workspaceId, post, created } = await makeSender("jwt", {
    scheme: { jwt: jwtSettings.parse({ algorithm: "RS256", jwks: JWKS }) },
    reading: { id: ["event_id"], type: ["type"] },
  });
  expect(created.secret).toBeNull();
  const token = await new SignJWT({ type: "user.created", event_id: "event_1", data: {} })
    .setProtectedHeader({ alg: "RS256", kid: "k1" })
    .setIssuedAt()
    .sign(rsa.privateKey);
  expect((await post(token, {})).status).toBe(503);
  const asked: string[] = [];
  const text = JSON.stringify({ keys: [{ ...rsa.publicKey.export({ format: "jwk" }), kid: "k1", use: "sig" }] });
  await fetchForSenders(new AbortController().signal, async (url) => {
    asked.push(url);
    return { status: 200, text };
  });
  expect(asked).toEqual([JWKS]);
  receiver.renew();
  expect((await post(token, {})).status).toBe(200);
  expect(await readEvent(workspaceId, "event_1")).toMatchObject({
    type: "user.created",
    receivedRaw: token,
    envelope: { type: "user.created" },
  });
});

describe("settings that fit nothing are refused", () => {
  it.each([
    ["a public key that is none", { method: "ed25519" }, "not-a-public-key", /public key/],
    ["a secret that isn't hexadecimal", { key: "hex" }, "not-hexadecimal", /hexadecimal/],
  ] as const)("%s", async (_, settings, secret, words) => {
    const hmac = hmacSettings.parse({ header: "x-signature", ...settings });
    await expect(makeSender("hmac", { scheme: { hmac }, secret })).rejects.toThrow(words);
  });

  it("a challenge of a known sender, and one that would sign what proves an event", async () => {
    const { owner } = await makeSender("github");
    const hmac = hmacSettings.parse({ header: "x-signature", content: "{body:id}" });
    const challenge = { take: "query:c", hmac: { algorithm: "sha256", encoding: "hex" }, answer: { text: "{hmac}" } } as const;
    const make = (template: "github" | "hmac", scheme: object) =>
      createSource(unaudited(owner), { name: `${template}-asks`, template, scheme });
    const asked = challengeSettings.parse({ ...challenge, asked: "get" });
    await expect(make("github", { challenges: [asked] })).rejects.toThrow(/described by hand/);
    await expect(make("hmac", { hmac, challenges: [asked] })).rejects.toThrow(/whole body/);
    // Who has seen one could change what is answered, and get the signature of another event.
    const signed = challengeSettings.parse({ ...challenge, asked: "signed" });
    await expect(make("hmac", { hmac, challenges: [signed] })).rejects.toThrow(/whole body/);
  });
});

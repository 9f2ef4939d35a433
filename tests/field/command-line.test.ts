import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { insertApiKey } from "#lib/auth/api-key-store";
import { resetEnv } from "#lib/config/env";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { schemeOf } from "#lib/platform/schemes/templates";
import { openApiServer } from "#tests/support/api-server";
import { runCommand } from "#tests/support/command-line";
import { useDatabase } from "#tests/support/database";
import { useTargets } from "#tests/support/forwarding/senders";
import { useNodeReceiver } from "#tests/support/receivers";
import { useSenders } from "#tests/support/sender-source";
import { stripeTakes, twilioSignature } from "#tests/support/senders";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { makeApi } from "../../packages/cli/src/api-client.ts";
import type { Session } from "../../packages/cli/src/commands/session.ts";
import { type ReplayOptions, targetUrl } from "../../packages/cli/src/deliver.ts";
import { handOver } from "../../packages/cli/src/hand-over.ts";
import { replay } from "../../packages/cli/src/replay.ts";
import { requestMaker, type Webhook } from "../../packages/cli/src/requests.ts";
import { originOf } from "../../packages/cli/src/settings.ts";
import { processOutput } from "../../packages/cli/src/terminal.ts";
import { type VerifyOptions, verify } from "../../packages/cli/src/verify.ts";

// What developers type, and what stands between them, Signalbox and their apps.

useDatabase();
const { makeSender } = useSenders(useNodeReceiver());
const { target } = useTargets();
let server: { url: string; close: () => Promise<void> };
beforeAll(async () => {
  server = await openApiServer();
});
afterAll(() => server.close());

/** A session of the command, with what it says. */
async function sessionIn(workspaceId: WorkspaceId) {
  const { key } = await insertApiKey(workspaceId, { name: "cli", role: "developer", createdBy: null });
  const said: string[] = [];
  const hear = (text: string) => void said.push(text);
  const output = { ...processOutput("quiet", true), item: () => {}, note: () => {}, warn: hear };
  const session = { output, api: () => makeApi({ url: server.url, key, keyFrom: "", allowHttp: true }) } as unknown as Session;
  return { session, said };
}

const optionsTo = (url: string, more: Partial<ReplayOptions> = {}): ReplayOptions => ({
  ...{ to: [url], rate: "100", concurrency: "1", timeout: "5s", limit: "10", report: false },
  ...more,
});

function secretFile(secret: string): string {
  const file = path.join(temporaryFolder(), "secret");
  writeFileSync(file, `${secret}\n`);
  return file;
}

/** Lets a day pass. */
function tomorrow(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
}

it.each(["4465/webhook", "4465:80", "4465?x=1", "http://4465/webhook", "http://ada:pw@4465/", "https://4465"])(
  "the target %s is refused: as a URL it would lead to 0.0.17.113",
  (text) => {
    expect(() => targetUrl(text)).toThrow(/is neither a port nor a URL/);
    expect(() => originOf(text)).toThrow(/is not the URL of a Signalbox/);
  },
);

it("ports, hosts and addresses are targets as before", () => {
  const given = ["4465", "localhost:4465/webhook", "127.0.0.1:80/x", "4465.example/x", "http://1:2@app/"];
  expect(given.map((text) => targetUrl(text).href)).toEqual([
    ...["http://localhost:4465/", "http://localhost:4465/webhook", "http://127.0.0.1/x", "http://4465.example/x", "http://1:2@app/"],
  ]);
});

it.each(["http", "https"])("a proxy that wants a password, or refuses, is named on the way to %s", async (scheme) => {
  let status = 407;
  const proxy = createServer();
  proxy.on("connect", (_request, socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`));
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close());
  vi.stubEnv(`${scheme}_proxy`, `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const api = makeApi({ url: `${scheme}://signalbox.example`, key: "sbx_key", keyFrom: "", allowHttp: true });
  await expect(api.get("/api/v1/session")).rejects.toMatchObject({
    message: `The proxy on the way to ${scheme}://signalbox.example wants a user name and password (407).`,
    hint: expect.stringContaining(`Write them in ${scheme}_proxy: http://user:password@`),
  });
  status = 403;
  await expect(api.get("/api/v1/session")).rejects.toMatchObject({
    message: `Can't reach ${scheme}://signalbox.example: the proxy answered 403.`,
  });
});

const STRIPE = JSON.stringify({ id: "evt_stripe_1", type: "invoice.paid", created: 1_790_000_000, data: {} });
const APP_SECRET = "whsec_of-the-developer";

// Stripe's libraries accept 300 seconds: docs.stripe.com/webhooks#verify-manually
it("an event of yesterday is taken by a handler with Stripe's library when it is signed anew, and its bytes stay", async () => {
  const { workspaceId, send } = await makeSender("stripe");
  await send(STRIPE);
  const { url, received } = await target();
  const { session, said } = await sessionIn(workspaceId);
  tomorrow();
  await replay(session, ["evt_stripe_1"], {}, optionsTo(url, { reSign: true, secretFile: secretFile(APP_SECRET) }));
  const [one] = received;
  expect(one?.body.toString()).toBe(STRIPE);
  expect(stripeTakes(STRIPE, String(one?.headers["stripe-signature"]), APP_SECRET)).toBe(true);
  expect(said).toEqual([]);
});

it("passed through, it is sent as it came with a warning; a fresh one, and one whose signature has no time, without", async () => {
  const { workspaceId, name, send } = await makeSender("stripe");
  await send(STRIPE);
  const { url, received } = await target();
  const { session, said } = await sessionIn(workspaceId);
  await replay(session, ["evt_stripe_1"], {}, optionsTo(url));
  expect(said).toEqual([]);
  const github = await makeSender("github");
  await github.send(JSON.stringify({ id: 1 }), { "x-github-event": "ping", "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958" });
  const other = await sessionIn(github.workspaceId);
  tomorrow();
  await replay(session, [], { period: "7d" }, optionsTo(url));
  expect(said).toEqual([expect.stringContaining(`Events of ${name} were signed too long ago`)]);
  expect(received[1]?.headers["stripe-signature"]).toBe(received[0]?.headers["stripe-signature"]);
  await replay(other.session, [], { period: "7d" }, optionsTo(url));
  expect([received.length, other.said]).toEqual([3, []]);
});

it("listen signs an event that waits for the app anew at each try", async () => {
  const tries: number[] = [];
  const makeRequest = () => {
    tries.push(Date.now());
    return { body: Buffer.from("{}"), headers: {} };
  };
  const answered = { outcome: "answered", status: 200, body: Buffer.from(""), contentType: "", durationMs: 1 } as const;
  const send = async () => (tries.length < 3 ? ({ outcome: "refused", error: "down", durationMs: 1 } as const) : answered);
  const { session } = await sessionIn((await makeSender("stripe")).workspaceId);
  const handing = {
    ...{ makeRequest, sender: { send, close: () => {} }, reporter: { report: () => {}, close: async () => {} }, output: session.output },
    ...{
      target: new URL("http://localhost:4000/"),
      url: "http://localhost:4000/",
      listener: undefined,
      signal: new AbortController().signal,
    },
  };
  const event = { id: "e1", type: "a.b", source: "s", receivedAt: "", headers: {}, raw: "{}", rawBase64: null, redeliveryId: null };
  expect(await handOver(event, handing)).toBe(true);
  expect(new Set(tries).size).toBe(3);
});

it("a sender that signs the URL signs that of the app", async () => {
  const { workspaceId, send } = await makeSender("twilio");
  const fields = { MessageSid: "SM1", SmsStatus: "received" };
  await send(String(new URLSearchParams(fields)), { "content-type": "application/x-www-form-urlencoded" });
  const { url, received } = await target();
  const { session } = await sessionIn(workspaceId);
  await replay(session, [], { period: "1h" }, optionsTo(`${url}?tenant=7`, { reSign: true, secretFile: secretFile(APP_SECRET) }));
  expect(received[0]?.headers["x-twilio-signature"]).toBe(twilioSignature(APP_SECRET, `${url}?tenant=7`, fields));
});

it("what nobody but its sender can sign is sent as it came, with a warning", async () => {
  const { workspaceId, name, post, secret } = await makeSender("microsoft-graph");
  const body = JSON.stringify({ value: [{ subscriptionId: "s1", changeType: "updated", resource: "me/messages/1", clientState: secret }] });
  expect((await post(body, { "content-type": "application/json" })).status).toBe(200);
  const { url, received } = await target();
  const { session, said } = await sessionIn(workspaceId);
  await replay(session, [], { period: "1h" }, optionsTo(url, { reSign: true, secretFile: secretFile(APP_SECRET) }));
  expect(received).toHaveLength(1);
  expect(said).toEqual([
    expect.stringContaining(`Events of ${name} are sent with the signature that they came with: Microsoft Graph can't be`),
  ]);
});

it("options that don't go together are refused in words", async () => {
  const session = { output: processOutput("quiet", true) } as unknown as Session;
  const refused = (more: Partial<ReplayOptions>) => expect(replay(session, ["evt_1"], {}, optionsTo("4000", more))).rejects;
  await refused({ reSign: true }).toThrow("--re-sign needs --secret-file.");
  await refused({ reSign: true, signed: true, secretFile: "x" }).toThrow("Choose one of --pass-through, --signed and --re-sign.");
  await refused({ secretFile: "x" }).toThrow("--secret-file needs --signed or --re-sign.");
});

it.each(["stripe", "slack", "standard-webhooks", "platform"] as const)(
  "verify --source checks a request of %s as its source does",
  async (template) => {
    const made = await makeSender(template);
    const body = path.join(temporaryFolder(), "body.json");
    writeFileSync(body, STRIPE);
    const at = new Date(Date.now() - 86_400_000);
    const { sign } = schemeOf(template, {});
    const { session } = await sessionIn(made.workspaceId);
    const verdicts: unknown[] = [];
    const output = { ...session.output, item: (value: object) => void verdicts.push(value) };
    const check = async (secret: string, more: Partial<VerifyOptions> = {}) => {
      const proof = sign({ body: Buffer.from(STRIPE), secret: made.secret, url: made.created.url, id: "msg_1", now: at });
      const header = Object.entries(proof).map(([name, value]) => `${name}: ${value}`);
      const given = { source: made.name, secretFile: [secretFile(secret)], header, body, at: at.toISOString(), ...more };
      onTestFinished(() => {
        process.exitCode = undefined;
      });
      await verify({ ...session, output }, given);
      return verdicts.at(-1);
    };
    expect(await check(made.secret)).toMatchObject({ verifies: true });
    const other = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    expect(await check(other)).toMatchObject({ verifies: false, code: "no_match" });
    expect(JSON.stringify(verdicts.at(-1))).not.toContain("this workspace");
    expect(await check(made.secret, { header: [] })).toMatchObject({ verifies: false, code: "header_missing" });
    expect(await check(made.secret, { signature: "ab".repeat(32) })).toMatchObject({ verifies: false });
    await expect(check(made.secret, { source: "nobody" })).rejects.toThrow("There is no source named nobody.");
    await expect(check(made.secret, { header: ["Stripe-Signature"] })).rejects.toThrow('"Stripe-Signature" is not a header.');
  },
);

/** Of the developer's own app, in whose shell the command runs. */
const OF_AN_APP = { NODE_ENV: "staging", PORT: "http", DATABASE_URL: "mongodb://localhost/app" };

it("verify --source reads nothing of the environment of the app beside it, also of a compressed body", async () => {
  const { name, workspaceId, secret, created } = await makeSender("github");
  const { key } = await insertApiKey(workspaceId, { name: "cli", role: "developer", createdBy: null });
  const folder = temporaryFolder();
  const body = path.join(folder, "body");
  const place = { folder, url: server.url, key, environment: OF_AN_APP };
  const proof = schemeOf("github", {}).sign({ body: Buffer.from(STRIPE), secret, url: created.url, id: "1", now: new Date() });
  const headers = Object.entries(proof).flatMap(([header, value]) => ["--header", `${header}: ${value}`]);
  const args = ["verify", "--source", name, "--secret-file", secretFile(secret), "--body", body, ...headers];
  writeFileSync(body, STRIPE);
  expect(await runCommand(place, args)).toMatchObject({ code: 0, stderr: "" });
  writeFileSync(body, gzipSync(STRIPE));
  expect(await runCommand(place, [...args, "--header", "Content-Encoding: gzip"])).toMatchObject({ code: 0, stderr: "" });
});

it("requests are made for an app whose environment is not one of Signalbox", () => {
  const sender = { template: "stripe", scheme: {}, reading: null } as const;
  const warned: string[] = [];
  const output = { ...processOutput("quiet", true), warn: (text: string) => void warned.push(text) };
  const receivedAt = new Date(Date.now() - 86_400_000).toISOString();
  const webhook: Webhook = { id: "evt_1", source: "stripe", receivedAt, headers: {}, raw: STRIPE, rawBase64: null, redeliveryId: null };
  const make = requestMaker({ mode: "pass_through" }, new Map([["stripe", sender]]), output);
  expect(() => resetEnv(OF_AN_APP)).toThrow("Invalid environment");
  expect(make(webhook, new URL("http://localhost:4000/"))).toMatchObject({ body: Buffer.from(STRIPE) });
  expect(warned).toEqual([expect.stringContaining("signed too long ago")]);
});

import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { savePlatform, saveSigningSecret } from "#lib/sandbox/sandbox-store";
import { claimDue, listNewest, pruneDeliveries } from "#lib/sandbox/webhooks/deliveries-store";
import { queueEvent, queueScenario, queueTraffic } from "#lib/sandbox/webhooks/queue-webhooks";
import { runSandboxSender } from "#lib/sandbox/webhooks/sender";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";

useDatabase({ SANDBOX: "on" });

const HERE = "wsp_here";
const THERE = "wsp_there";

beforeAll(async () => {
  for (const [id, source] of [
    [HERE, "hooks"],
    [THERE, "there"],
  ] as const) {
    await pool().query("INSERT INTO workspaces (id, name) VALUES ($1, $1)", [id]);
    await savePlatform(id, source);
  }
});

type Received = { url: string; signature: string | undefined; body: Buffer; at: number };
type Reply = { status: number; headers?: Record<string, string> };

let received: Received[];
let replies: Reply[];
let server: Server;
let stop: () => Promise<void>;

beforeEach(async () => {
  received = [];
  replies = [];
  server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    const signature = request.headers["x-webhook-signature"];
    received.push({ url: request.url ?? "", signature: signature?.toString(), body, at: Date.now() });
    const { status, headers } = replies.shift() ?? { status: 200 };
    response.writeHead(status, headers).end(`{"answer":${status}}`);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  resetEnv({ APP_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, WEBHOOK_SOURCE: "hooks" });
  await pool().query("DELETE FROM sandbox_deliveries");
  const stopping = new AbortController();
  const running = runSandboxSender(stopping.signal, () => new Date());
  stop = async () => {
    stopping.abort();
    await running;
  };
});

afterEach(async () => {
  await stop();
  server.closeAllConnections();
  server.close();
});

const settled = async (count: number) => {
  await vi.waitFor(async () => expect((await listNewest(HERE, 100)).filter(({ state }) => state !== "waiting")).toHaveLength(count), {
    timeout: 30_000,
    interval: 50,
  });
  return listNewest(HERE, 100);
};

const signatureOf = (body: Buffer) => createHmac("sha256", TEST_ENV.WEBHOOK_SECRET).update(body).digest("hex");

test("a webhook is posted to the source, signed over its exact bytes, again and again until a 2xx", { tags: ["deep"] }, async () => {
  replies = [{ status: 503 }, { status: 401 }];
  await queueEvent(HERE, { type: "document.processed" }, new Date());
  const [delivery] = await settled(1);
  expect(delivery).toMatchObject({ state: "delivered", attempts: 3, lastStatus: 200, lastAnswer: '{"answer":200}', dueAt: null });
  expect(received).toHaveLength(3);
  for (const { url, signature, body } of received) {
    expect(url).toBe("/webhooks/hooks");
    expect(signature).toBe(signatureOf(body));
  }
  expect(new Set(received.map(({ body }) => body.toString())).size).toBe(1);
});

test("each workspace's platform sends to its own source with its own secret, and waits while it has none", async () => {
  await queueEvent(HERE, { type: "task.created" }, new Date());
  await queueEvent(THERE, { type: "document.processed" }, new Date());
  await settled(1);
  expect(received.map(({ url }) => url)).toEqual(["/webhooks/hooks"]);
  expect(await listNewest(THERE, 10)).toMatchObject([{ type: "document.processed", state: "waiting", attempts: 0 }]);
  await saveSigningSecret(THERE, "the secret of the other workspace");
  await vi.waitFor(() => expect(received).toHaveLength(2), { timeout: 15_000 });
  const [, other] = received as [Received, Received];
  expect(other.url).toBe("/webhooks/there");
  expect(other.signature).toBe(createHmac("sha256", "the secret of the other workspace").update(other.body).digest("hex"));
  expect(await listNewest(HERE, 10)).toHaveLength(1);
});

test("a workspace with thousands of waiting webhooks doesn't hold up another's", async () => {
  await stop();
  await queueTraffic(HERE, { documents: 60, days: 14, seed: 7 }, new Date());
  await saveSigningSecret(THERE, "the secret of the other workspace");
  await queueEvent(THERE, { type: "task.created" }, new Date());
  const claimed = await claimDue(32, 30_000, new Date());
  expect(claimed.filter(({ workspaceId }) => workspaceId === THERE)).toHaveLength(1);
  expect(claimed).toHaveLength(32);
});

test("Retry-After holds the next try back", { tags: ["deep"] }, async () => {
  replies = [{ status: 429, headers: { "retry-after": "3" } }];
  await queueEvent(HERE, { type: "task.created" }, new Date());
  await settled(1);
  expect((received[1]?.at ?? 0) - (received[0]?.at ?? 0)).toBeGreaterThanOrEqual(2900);
});

test("what is wrong by design is tried once", async () => {
  replies = [{ status: 401 }, { status: 401 }];
  await queueEvent(HERE, { type: "task.created", fault: "wrong_signature" }, new Date());
  await queueEvent(HERE, { type: "task.created", fault: "no_signature" }, new Date());
  const deliveries = await settled(2);
  expect(deliveries.map(({ state, attempts }) => [state, attempts])).toEqual(Array(2).fill(["failed", 1]));
  const signatures = received.map(({ signature }) => signature);
  expect(signatures).toContain(undefined);
  for (const { signature, body } of received) expect(signature).not.toBe(signatureOf(body));
});

test("the platform signs with the secret that it was told last, and a stale signature is made with the one before", async () => {
  await saveSigningSecret(HERE, "the-next-secret");
  await queueEvent(HERE, { type: "task.created" }, new Date());
  await queueEvent(HERE, { type: "task.created", fault: "stale_signature" }, new Date());
  await settled(2);
  const keys = received.map(({ signature, body }) =>
    ["the-next-secret", TEST_ENV.WEBHOOK_SECRET].find((secret) => createHmac("sha256", secret).update(body).digest("hex") === signature),
  );
  expect(new Set(keys)).toEqual(new Set(["the-next-secret", TEST_ENV.WEBHOOK_SECRET]));
  const { rows } = await pool().query<{ row: string }>("SELECT s::text AS row FROM sandbox_signing_secrets s");
  expect(JSON.stringify(rows)).not.toContain("the-next-secret");
  await pool().query("DELETE FROM sandbox_signing_secrets");
});

test("generated traffic of 60 documents all arrives, each event once", { tags: ["deep"] }, async () => {
  const { queued, seed } = await queueTraffic(HERE, { documents: 60, days: 14, seed: 7 }, new Date());
  expect([queued > 300, seed]).toEqual([true, 7]);
  await vi.waitFor(() => expect(received).toHaveLength(queued), { timeout: 90_000, interval: 100 });
  expect(new Set(received.map(({ body }) => JSON.parse(body.toString()).id)).size).toBe(queued);
});

test("what was settled more than two days ago is forgotten, what waits is not", async () => {
  await stop();
  const longAgo = new Date(Date.now() - 3 * 86_400_000);
  await queueEvent(HERE, { type: "task.created" }, longAgo);
  await queueEvent(HERE, { type: "task.created" }, longAgo);
  await pool().query(
    "UPDATE sandbox_deliveries SET state = 'delivered', done_at = created_at WHERE id = (SELECT min(id) FROM sandbox_deliveries)",
  );
  await pruneDeliveries(new Date());
  expect((await listNewest(HERE, 10)).map(({ state }) => state)).toEqual(["waiting"]);
});

test("a scenario arrives in its order at its pace", async () => {
  const queuedAt = Date.now();
  const { eventIds } = await queueScenario(HERE, { scenario: "automation_run", pace: 600, shuffled: false }, new Date(queuedAt));
  await settled(2);
  expect(received.map(({ body }) => JSON.parse(body.toString()).id)).toEqual(eventIds);
  expect(received[1]?.at).toBeGreaterThanOrEqual(queuedAt + 600); // the first may be late, and the second never early
});

test("two senders never take the same delivery, and one that a dead sender held is due again", async () => {
  await stop();
  await queueEvent(HERE, { type: "task.created", fault: "burst" }, new Date());
  const now = new Date();
  const claims = await Promise.all([claimDue(60, 30_000, now), claimDue(60, 30_000, now)]);
  const ids = claims.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  await claimDue(100, 30_000, now);
  expect(await claimDue(100, 30_000, now)).toEqual([]);
  expect(await claimDue(100, 30_000, new Date(now.getTime() + 30_000))).toHaveLength(100);
});

test("a try that a shutdown breaks off does not count and stays due", async () => {
  server.removeAllListeners("request");
  const hung = new Promise<void>((resolve) => server.once("request", () => resolve()));
  await queueEvent(HERE, { type: "task.created" }, new Date());
  await hung;
  await stop();
  expect(await listNewest(HERE, 1)).toMatchObject([{ state: "waiting", attempts: 0 }]);
});

import { createServer } from "node:http";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import type { Destination } from "#lib/contracts/forwarding/destinations";
import type { ReceiverBehaviour } from "#lib/contracts/sandbox";
import { pool } from "#lib/db/pool";
import { getDestination } from "#lib/flows/forwarding/destinations";
import { checkTarget } from "#lib/forwarding/check-target";
import { openCheckedSocket } from "#lib/forwarding/checked-socket";
import { readReceivingApp } from "#lib/sandbox/receiving-app";
import { findOrInsertReceiver, insertReceiverSecret, saveSigningSecret, updateBehaviour } from "#lib/sandbox/sandbox-store";
import { openApiServer } from "#tests/support/api-server";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { makeDestination, receiveAndApply } from "#tests/support/forwarding/destinations";
import { startSenders, until, untilStates, useTargets } from "#tests/support/forwarding/senders";
import { makeWorkspace, SECRET } from "#tests/support/webhooks";

const database = useDatabase({ SANDBOX: "on" });
const { open } = useTargets();

let url = "";
const withEnvironment = (more: Record<string, string>) =>
  resetEnv({ ...TEST_ENV, DATABASE_URL: database.url(), SANDBOX: "on", APP_URL: url, NEXTAUTH_URL: url, ...more });

beforeAll(async () => {
  const server = await openApiServer();
  url = server.url;
  return server.close;
});
beforeEach(() => {
  withEnvironment({});
});

/** The URL of a workspace's receiving app, made if need be. */
async function urlOf(workspaceId: string): Promise<string> {
  await findOrInsertReceiver(workspaceId);
  return (await readReceivingApp(workspaceId)).url ?? "";
}

/** A workspace with a destination to its receiving app. */
async function connected(mode: Destination["mode"], behaviour: Partial<ReceiverBehaviour> = {}) {
  const { workspaceId, source } = await makeWorkspace();
  await saveSigningSecret(workspaceId, SECRET);
  const { id, behaviour: before } = await findOrInsertReceiver(workspaceId);
  await updateBehaviour(id, { ...before, ...behaviour });
  const destination = await makeDestination(workspaceId, { url: await urlOf(workspaceId), mode });
  if (destination.secret !== null) await insertReceiverSecret(workspaceId, id, destination.secret);
  open.push(startSenders());
  const received = async () => (await readReceivingApp(workspaceId)).received;
  const lastFailure = async () => (await getDestination(workspaceId, destination.id)).lastFailure;
  return { workspaceId, source, destination, received, lastFailure };
}

async function send(source: string): Promise<void> {
  await receiveAndApply(source);
}

describe("the sandbox's receiving app", () => {
  test.each(["signed", "pass_through"] as const)("verifies what a destination in %s mode sends over HTTP, and accepts it", async (mode) => {
    const { source, received } = await connected(mode);
    await send(source);
    const [request] = await until(received, ({ length }) => length === 1);
    expect(request).toMatchObject({ signature: "verified", status: 200, attempt: 1, seenBefore: false, type: "document.processed" });
    const own = mode === "signed" ? "webhook-signature" : "x-webhook-signature";
    expect(request?.headers).toHaveProperty(own);
  });

  test("answers 401 to a signature that does not match, and to none", async () => {
    const { source, received } = await connected("signed");
    await pool().query("DELETE FROM sandbox_receiver_secrets");
    await send(source);
    expect(await until(received, ({ length }) => length === 1)).toMatchObject([{ signature: "wrong", status: 401 }]);
    expect((await fetch(await urlOf((await makeWorkspace()).workspaceId), { method: "POST", body: "{}" })).status).toBe(401);
  });

  test.each([
    [{ answer: "status", status: 503 }, 503, "server_error"],
    [{ answer: "gone" }, 410, "gone"],
    [{ answer: "redirect" }, 302, "redirected"],
  ] as const)("misbehaves as it is set to: %o", async (behaviour, status, outcome) => {
    const { source, received, lastFailure } = await connected("signed", behaviour);
    await send(source);
    expect(await until(received, ({ length }) => length === 1)).toMatchObject([{ signature: "verified", status }]);
    expect(await until(lastFailure, (failure) => failure !== null)).toMatchObject({ outcome });
  });

  test("fails each third, and knows an event that comes again", async () => {
    const { source, received, destination } = await connected("signed", { answer: "fail_every", every: 3 });
    for (let count = 1; count <= 3; count += 1) {
      await send(source);
      await until(received, ({ length }) => length === count);
    }
    expect((await received()).map(({ status }) => status)).toEqual([500, 200, 200]);
    // The app notes a request before its answer is noted; the one that failed is not tried again meanwhile.
    await untilStates(destination.id, { delivered: 2 });
    const change = (set: string, state: string) =>
      pool().query(`UPDATE forward_deliveries SET ${set} WHERE destination_id = $1 AND state = $2`, [destination.id, state]);
    await change("due_at = now() + interval '1 hour'", "pending");
    await change("state = 'pending', due_at = now() - interval '1 second'", "delivered");
    const again = (requests: Awaited<ReturnType<typeof received>>) =>
      requests.filter(({ seenBefore, status }) => seenBefore && status === 200);
    await until(received, (requests) => again(requests).length === 2);
  });

  test("is there for nobody while the sandbox is off", async () => {
    const { workspaceId } = await makeWorkspace();
    expect(await readReceivingApp(workspaceId)).toMatchObject({ url: null, received: [] });
    const app = await urlOf(workspaceId);
    withEnvironment({ SANDBOX: "off" });
    expect((await fetch(app, { method: "POST", body: "{}" })).status).toBe(404);
  });
});

describe("the address check", () => {
  const id = `rcv_${"a".repeat(20)}`;
  const isOpen = async (text: string) => (await checkTarget(text)).ok;

  test("lets the receiving app's own URL pass while the sandbox is on, and no other of this machine", async () => {
    const app = `${url}/sandbox/receiving-app/${id}`;
    expect(await isOpen(app)).toBe(true);
    const other = new URL(url).port === "3000" ? "3001" : "3000";
    for (const refused of [
      url,
      `${url}/api/v1/events`,
      `${url}/sandbox/receiving-app`,
      `${url}/sandbox/receiving-app/${id}/../../../api/v1/events`,
      `${url}/sandbox/receiving-app/${id}/%2e%2e/%2e%2e/%2e%2e/metrics`,
      `${url}/sandbox/receiving-app/${id}%2f..%2f..%2fapi`,
      `${app}/`,
      `${app}/more`,
      `${app}?then=this`,
      `${url}/sandbox/oauth/token`,
      app.replace(/:\d+/, `:${other}`),
      app.replace("127.0.0.1", "localhost"),
      app.replace("http:", "https:"),
    ])
      expect(await isOpen(refused), refused).toBe(false);
    withEnvironment({ SANDBOX: "off" });
    expect(await isOpen(app)).toBe(false);
  });

  test("opens no link-local or metadata address, even where it is the installation's own", async () => {
    withEnvironment({ APP_URL: "http://169.254.169.254" });
    expect(await isOpen(`http://169.254.169.254/sandbox/receiving-app/${id}`)).toBe(false);
  });

  test("goes to the receiving app without the proxy, to which this address would be its own", async () => {
    let asked = 0;
    const proxy = createServer().on("connect", (_request, socket) => {
      asked += 1;
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    open.push({ close: async () => void proxy.close() });
    withEnvironment({ FORWARD_PROXY: `http://127.0.0.1:${(proxy.address() as { port: number }).port}` });
    const { socket } = await openCheckedSocket(`${url}/sandbox/receiving-app/${id}`);
    socket.destroy();
    expect(asked).toBe(0);
  });
});

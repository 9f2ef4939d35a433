import { describe, expect, it } from "vitest";
import { useDatabase } from "#tests/support/database";
import { sendWithoutEnd } from "#tests/support/endless-sender";
import { figure } from "#tests/support/figure";
import { atSize, expectMemory, expectPace } from "#tests/support/pace";
import { openWire, statusOf, type Wire } from "#tests/support/raw-request";
import { startWebServer } from "#tests/support/web-server-process";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

const database = useDatabase();

const PATHS = [
  "/api/setup",
  "/api/join",
  "/api/auth/callback/credentials",
  "/sandbox/oauth/token",
  "/sandbox/oauth/authorize/decision",
  "/api/v1/redeliveries",
  "/sign-in",
  "/nowhere",
];
const FLOOD = atSize(400, 40) * 1_048_576;

/** One signed webhook on a connection of its own. @returns its status, 0 when it was not answered within 20 s, and the milliseconds */
async function deliver(port: number, source: string): Promise<{ status: number; ms: number }> {
  const { body, headers } = signed(envelope());
  const since = performance.now();
  const init = { method: "POST", body, headers: { ...headers, connection: "close" }, signal: AbortSignal.timeout(20_000) };
  const status = await fetch(`http://127.0.0.1:${port}/webhooks/${source}`, init).then(
    (answer) => answer.status,
    () => 0,
  );
  return { status, ms: performance.now() - since };
}

describe("the web process's server", () => {
  it("refuses a flood to any route with 413, in flat memory, and takes webhooks meanwhile", { timeout: 120_000 }, async () => {
    const { source } = await makeWorkspace();
    const { port, peakMemory } = await startWebServer(database.url());
    expect((await deliver(port, source)).status).toBe(200);
    const before = await peakMemory();
    const sending = Promise.all(
      PATHS.flatMap((path) => [true, false].map((announced) => sendWithoutEnd(port, `POST ${path} HTTP/1.1`, FLOOD, announced))),
    );
    const delivered = [];
    for (let ended = false; !ended || delivered.length < 5; ) {
      delivered.push(await deliver(port, source));
      ended = await Promise.race([sending.then(() => true), new Promise<false>((resolve) => setTimeout(resolve, 100, false))]);
    }
    const results = await sending;
    const grown = (await peakMemory()) - before;
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([413]));
    expect(new Set(delivered.map(({ status }) => status))).toEqual(new Set([200]));
    expectMemory(grown, 256);
    const slowest = Math.round(Math.max(...delivered.map(({ ms }) => ms)));
    expectPace(slowest, 2000);
    figure(
      `${results.length} senders of ${FLOOD} bytes at once: 413 each, ${Math.round(grown)} MB more, webhooks beside them within ${slowest} ms`,
    );
  });

  it("takes webhooks while 400 connections do nothing and it may open 256 files", { timeout: 120_000 }, async () => {
    const { source } = await makeWorkspace();
    const { port } = await startWebServer(database.url(), 256);
    const silent = await openMany(port, 200, "");
    const kept = await openMany(port, 200, "GET /kept HTTP/1.1\r\nhost: localhost\r\n\r\n");
    const delivered = [];
    for (let n = 0; n < 20; n += 1) delivered.push(await deliver(port, source));
    expect(delivered.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const slowest = Math.round(Math.max(...delivered.map(({ ms }) => ms)));
    expectPace(slowest, 2000);
    figure(`ulimit -n 256 and 400 idle connections: 20 of 20 webhooks answered 200 within ${slowest} ms`);
    for (const { socket } of [...silent, ...kept]) socket.destroy();
  });

  it("closes a connection that says nothing, and one that is kept without a request, within seconds", { timeout: 120_000 }, async () => {
    const { port } = await startWebServer(database.url());
    const since = performance.now();
    const [silent] = await openMany(port, 1, "");
    const [kept] = await openMany(port, 1, "GET /kept HTTP/1.1\r\nhost: localhost\r\n\r\n");
    expect(statusOf((await silent?.ended) ?? "")).toBe(408);
    expect(statusOf((await kept?.ended) ?? "")).toBe(200);
    expectPace(performance.now() - since, 15_000);
  });

  it("keeps none of 300 sockets that ask for web sockets", { timeout: 120_000 }, async () => {
    const { source } = await makeWorkspace();
    const { port } = await startWebServer(database.url());
    const upgrade = "GET /nowhere HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n";
    const wires = await openMany(port, 300, upgrade);
    const answers = await Promise.all(wires.map(({ ended }) => ended));
    expect(new Set(answers.map(statusOf))).toEqual(new Set([400])); // each is answered and closed
    expect((await deliver(port, source)).status).toBe(200);
  });
});

async function openMany(port: number, count: number, said: string): Promise<Wire[]> {
  const wires = Array.from({ length: count }, () => openWire(port));
  await Promise.all(wires.map(({ socket }) => new Promise((resolve) => socket.once("connect", resolve).once("close", resolve))));
  if (said) for (const { socket } of wires) socket.write(said);
  return wires;
}

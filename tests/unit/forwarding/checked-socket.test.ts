import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { openCheckedSocket } from "#lib/forwarding/checked-socket";
import { TEST_ENV } from "#tests/support/environment";

beforeAll(() => {
  resetEnv({ ...TEST_ENV, FORWARD_ALLOW: "app.example" });
});

/** A target that resets each connection 100 ms after it came. */
async function startResetting(): Promise<{ port: number; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => undefined));
    setTimeout(() => socket.resetAndDestroy(), 100);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as { port: number }).port, sockets };
}

function uncaughtErrors(): Error[] {
  const errors: Error[] = [];
  const note = (error: Error) => errors.push(error);
  process.on("uncaughtException", note);
  onTestFinished(() => void process.off("uncaughtException", note));
  return errors;
}

test("a name that resolves after the time limit is not connected to, and a reset ends no process", async () => {
  const { port, sockets } = await startResetting();
  const uncaught = uncaughtErrors();
  const resolve = () => sleep(300, ["127.0.0.1"]);
  await expect(openCheckedSocket(`http://app.example:${port}/`, resolve, 100)).rejects.toMatchObject({ outcome: "connect_timeout" });
  await sleep(500);
  expect({ connections: sockets.length, uncaught }).toEqual({ connections: 0, uncaught: [] });
});

test("a connection that is given up during the TLS handshake is closed, and a reset ends no process", async () => {
  const { port, sockets } = await startResetting();
  const uncaught = uncaughtErrors();
  const opening = openCheckedSocket(`https://app.example:${port}/`, async () => ["127.0.0.1"], 50);
  await expect(opening).rejects.toMatchObject({ outcome: "connect_timeout" });
  await sleep(300);
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
  expect(uncaught).toEqual([]);
});

const TARGET = "http://app.example:4444/";
const addresses = ["10.0.0.1", "10.0.0.2"];

const use = (port: number) => resetEnv({ ...TEST_ENV, FORWARD_ALLOW: "app.example", FORWARD_PROXY: `http://127.0.0.1:${port}` });

/** For what is never answered; whatever is, may take its time on a busy machine. */
const IMPATIENT_MS = 300;

const open = (at: string[] = addresses.slice(0, 1), timeoutMs = 10_000) => openCheckedSocket(TARGET, async () => at, timeoutMs);

/** A proxy that answers each request for a tunnel with a status, or not at all. @returns the addresses that it was asked for */
async function startProxy(statusOf: (authority: string) => number | null): Promise<string[]> {
  const asked: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => undefined));
    socket.once("data", (request) => {
      const authority = request.toString().split(" ")[1] ?? "";
      asked.push(authority);
      const status = statusOf(authority);
      if (status !== null) socket.write(`HTTP/1.1 ${status} Said\r\n\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  use((server.address() as { port: number }).port);
  return asked;
}

/** Listens in a thread that then stands still: two connections wait to be accepted, the system drops what comes after them. */
async function startDroppingProxy(): Promise<void> {
  const standing = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
     const server = require("node:net").createServer();
     server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       setTimeout(() => {
         Atomics.store(workerData, 0, 1);
         Atomics.wait(workerData, 0, 1);
       }, 20);
     });`,
    { eval: true, workerData: standing },
  );
  onTestFinished(() => worker.terminate().then(() => undefined));
  const port = await new Promise<number>((resolve) => worker.once("message", resolve));
  await expect.poll(() => Atomics.load(standing, 0)).toBe(1);
  use(port);
  await Promise.allSettled([open(undefined, IMPATIENT_MS), open(undefined, IMPATIENT_MS)]);
}

describe("what fails behind the proxy is the target's", () => {
  test.each([502, 503, 504])("%i means that the proxy could not reach it", async (status) => {
    await startProxy(() => status);
    await expect(open()).rejects.toMatchObject({
      outcome: "unreachable",
      message: `FORWARD_PROXY can't reach 10.0.0.1:4444: it answered ${status}`,
    });
  });

  test("of two addresses the second is tried where the first can't be reached", async () => {
    const asked = await startProxy((authority) => (authority === "10.0.0.1:4444" ? 502 : 200));
    const { socket, remoteAddress } = await open(addresses);
    socket.destroy();
    expect({ remoteAddress, asked }).toEqual({ remoteAddress: "10.0.0.2", asked: ["10.0.0.1:4444", "10.0.0.2:4444"] });
  });

  test("silence of a proxy that took the connection counts as a connection that is not made in time", async () => {
    await startProxy(() => null);
    await expect(open(undefined, IMPATIENT_MS)).rejects.toMatchObject({
      outcome: "connect_timeout",
      message: "FORWARD_PROXY did not respond when asked for a tunnel to 10.0.0.1:4444 within 0.3 seconds",
    });
  });
});

describe("what fails at the proxy is the proxy's", () => {
  test.each([400, 403, 500])("%i is its own refusal", async (status) => {
    await startProxy(() => status);
    await expect(open(addresses)).rejects.toMatchObject({
      outcome: "proxy_failed",
      message: `FORWARD_PROXY answered ${status} when asked for a tunnel`,
    });
  });

  test("so is a connection to it that is not accepted in time", async () => {
    await startDroppingProxy();
    await expect(open(undefined, IMPATIENT_MS)).rejects.toMatchObject({
      outcome: "proxy_failed",
      message: "FORWARD_PROXY did not accept the connection within 0.3 seconds",
    });
  });
});

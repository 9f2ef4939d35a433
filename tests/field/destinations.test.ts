import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { resetEnv } from "#lib/config/env";
import { sendAttempt, TargetConnection } from "#lib/forwarding/attempt/send-attempt";
import { readTargetUrl } from "#lib/forwarding/check-target";
import { retryAfterMs } from "#lib/http/retry-after";
import { TEST_ENV } from "#tests/support/environment";
import { authority, startRawTarget } from "#tests/support/forwarding/raw-target";
import { startTarget } from "#tests/support/forwarding/target";

// Answers of targets, and proxies, as strangers met them.

beforeAll(() => resetEnv({ ...TEST_ENV, FORWARD_ALLOW: "127.0.0.1" }));

function open(url: string, timeoutMs = 5000) {
  const read = readTargetUrl(url);
  if (!read.ok) throw new Error(read.reason);
  const connection = new TargetConnection(read.target, undefined, { timeoutMs });
  onTestFinished(() => connection.close());
  return () => sendAttempt(connection, { path: "/", headers: {}, body: Buffer.from("{}") }, new Date(), new AbortController().signal);
}

/** A target that sends pieces of one answer to each request, a moment apart. */
async function answering(pieces: readonly string[], tls?: "valid") {
  let requests = 0;
  const answer = async (socket: Socket) => {
    requests += 1;
    for (const piece of pieces) {
      socket.write(piece, "latin1");
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const target = await startRawTarget((socket) => {
    socket.on("data", () => void answer(socket));
    void answer(socket);
  }, tls);
  onTestFinished(() => target.close());
  return { url: target.url, requests: () => requests, connections: target.connections };
}

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 23\r\n\r\nHTTP/1.1 100 Continue\r\n";

// jetty/jetty.project#1878, nodejs/undici#197, xrootd/xrootd#1120; RFC 9110 section 15.2
it.each<[string, string[]]>([
  ["100 Continue", ["HTTP/1.1 100 Continue\r\n\r\n", OK]],
  ["100 Continue in one piece with the answer", [`HTTP/1.1 100 Continue\r\n\r\n${OK}`]],
  [
    "100 Continue with header fields, in pieces",
    ["HTTP/1.1 1", "00 Continue\r\nConnection: Keep-Alive\r\nContent-Length: 0\r", "\n\r\nHTT", OK.slice(3)],
  ],
  [
    "103, 100 and 102",
    ["HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 102 Processing\r\n\r\n", OK],
  ],
])("an answer after an unasked %s is the answer: sent once, the connection is kept", async (_, pieces) => {
  const { url, requests, connections } = await answering(pieces);
  const send = open(url);
  for (let n = 1; n <= 2; n += 1) {
    const result = await send();
    expect(result).toMatchObject({ outcome: "delivered", answer: { status: 200 } });
    expect(result?.answer?.body.toString()).toBe("HTTP/1.1 100 Continue\r\n");
    expect([requests(), connections()]).toEqual([n, 1]);
  }
});

it("over TLS, too", async () => {
  const before = getCACertificates("default");
  onTestFinished(() => setDefaultCACertificates(before));
  setDefaultCACertificates([...before, authority()]);
  const { url, requests } = await answering(["HTTP/1.1 100 Continue\r\n\r\n", OK], "valid");
  expect(await open(url)()).toMatchObject({ outcome: "delivered", answer: { status: 200 } });
  expect(requests()).toBe(1);
});

it("informational answers without an end are no answer", async () => {
  const { url } = await answering(["HTTP/1.1 100 Continue\r\n\r\n"]);
  expect(await open(url, 300)()).toMatchObject({ outcome: "timeout" });
  const endless = await answering([`HTTP/1.1 100 Continue\r\nx: ${"y".repeat(20_000)}`]);
  expect(await open(endless.url)()).toMatchObject({ outcome: "malformed_answer" });
});

// go-resty/resty#1220; RFC 9110 section 5.6.7
it.each([
  ["in seconds", "7", 7000],
  ["as a date", "Sun, 06 Nov 1994 08:49:37 GMT", 37_000],
  ["in RFC 850's form", "Sunday, 06-Nov-94 08:49:37 GMT", 37_000],
  ["in asctime's form", "Sun Nov  6 08:49:37 1994", 37_000],
  ["in no form", "1994-11-06 08:49:37", null],
])("Retry-After %s is read", (_, text, wait) => {
  expect(retryAfterMs(text, null, new Date("1994-11-06T08:49:00Z"))).toBe(wait);
  expect(retryAfterMs(text, "Sunday, 06-Nov-94 08:49:00 GMT", new Date("2026-11-06T08:49:00Z"))).toBe(wait);
});

it("a year of two digits is within the next 50 years, or past", () => {
  const now = new Date("2026-11-06T08:49:00Z");
  expect(retryAfterMs("Friday, 06-Nov-26 08:49:37 GMT", null, now)).toBe(37_000);
  expect(retryAfterMs("Sunday, 06-Nov-94 08:49:37 GMT", null, now)).toBe(0);
});

// http-proxy-3#52
it("FORWARD_PROXY at an IPv6 address is reached, and its 407 says what it wants", async () => {
  const target = await startTarget();
  onTestFinished(() => target.close());
  let status = 200;
  const proxy = createServer();
  proxy.on("connect", ({ url = "" }, socket) => {
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} Said\r\n\r\n`);
    const there = connect(Number(url.split(":").at(-1)), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      there.pipe(socket).pipe(there);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "::1", resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
    resetEnv({ FORWARD_PROXY: "" });
  });
  resetEnv({ FORWARD_PROXY: `http://[::1]:${(proxy.address() as AddressInfo).port}` });
  expect(await open(target.url)()).toMatchObject({ outcome: "delivered" });
  status = 407;
  expect(await open(target.url)()).toMatchObject({
    outcome: "proxy_failed",
    detail: expect.stringContaining("answered 407 when asked for a tunnel: its URL needs a user name"),
  });
});

import type { Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { type AttemptResult, sendAttempt, TargetConnection } from "#lib/forwarding/attempt/send-attempt";
import { type Resolve, readTargetUrl } from "#lib/forwarding/check-target";
import { TEST_ENV } from "#tests/support/environment";
import { authority, type RawTarget, startRawTarget } from "#tests/support/forwarding/raw-target";
import { startTarget } from "#tests/support/forwarding/target";
import { expectMemory, expectPace } from "#tests/support/pace";

beforeAll(() => {
  resetEnv({ ...TEST_ENV, FORWARD_ALLOW: "127.0.0.1, app.example" });
  setDefaultCACertificates([...getCACertificates("default"), authority()]);
});

const open: RawTarget[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function raw(...how: Parameters<typeof startRawTarget>): Promise<string> {
  const target = await startRawTarget(...how);
  open.push(target);
  return target.url;
}

const sendEmpty = (connection: TargetConnection) =>
  sendAttempt(connection, { path: "/", headers: {}, body: Buffer.from("{}") }, new Date(), new AbortController().signal);

async function attempt(url: string, resolve?: Resolve, timeoutMs?: number): Promise<AttemptResult & { heapMb: number }> {
  const read = readTargetUrl(url);
  if (!read.ok) throw new Error(read.reason);
  const connection = new TargetConnection(read.target, resolve, { timeoutMs });
  const before = process.memoryUsage().rss;
  const result = await sendEmpty(connection);
  connection.close();
  if (!result) throw new Error("given up");
  return { ...result, heapMb: (process.memoryUsage().rss - before) / 1_048_576 };
}

const flood = (text: string) => (socket: Socket) => {
  const chunk = text.repeat(Math.ceil(65_536 / text.length));
  const more = () => {
    while (socket.writable && socket.write(chunk));
    if (socket.writable) socket.once("drain", more);
  };
  more();
};

describe("a target's answer is bounded in memory and time, and told in words", () => {
  test("an endless body after 200 is a success, of which 16 kB are kept", async () => {
    const url = await raw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n");
      flood("x".repeat(1000))(socket);
    });
    const { outcome, answer, totalMs, heapMb } = await attempt(url);
    expect({ outcome, kept: answer?.body.length }).toEqual({ outcome: "delivered", kept: 16_384 });
    expectPace(totalMs, 3000);
    expectMemory(heapMb, 60);
  });

  test("a compressed bomb is kept as it came", async () => {
    const url = await raw((socket) =>
      socket.end(`HTTP/1.1 500 No\r\ncontent-encoding: gzip\r\ncontent-length: 100\r\nconnection: close\r\n\r\n${"\u0000".repeat(100)}`),
    );
    expect(await attempt(url)).toMatchObject({ outcome: "server_error", answer: { body: Buffer.alloc(100) } });
  });

  test("endless headers, endless informational answers and nonsense are malformed answers", async () => {
    const headers = await attempt(
      await raw((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        flood("x-a: b\r\n")(socket);
      }),
    );
    expect(headers).toMatchObject({ outcome: "malformed_answer", detail: expect.stringContaining("16 kB") });
    for (const text of [
      "SSH-2.0-OpenSSH_9\r\n",
      "HTTP/1.1 abc\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
    ])
      expect((await attempt(await raw((socket) => socket.write(text)))).outcome, text).toBe("malformed_answer");
  });

  test("a body that comes byte by byte, or is shorter than it said, changes nothing of a 2xx", async () => {
    const slow = await attempt(
      await raw((socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n");
        const timer = setInterval(() => (socket.writable ? socket.write("x") : clearInterval(timer)), 100);
      }),
    );
    expect(slow.outcome).toBe("delivered");
    expectPace(slow.totalMs, 3000);
    const short = await attempt(await raw((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nabc")));
    expect(short).toMatchObject({ outcome: "delivered", answer: { body: Buffer.from("abc") } });
  });

  test("a reset, a close without an answer and a port where nobody listens are told apart", async () => {
    expect(await attempt(await raw((socket) => socket.resetAndDestroy()))).toMatchObject({ outcome: "connection_reset" });
    expect(await attempt(await raw((socket) => socket.end()))).toMatchObject({ outcome: "connection_reset" });
    const { url, close } = await startTarget();
    await close();
    expect(await attempt(url)).toMatchObject({ outcome: "connection_refused", answer: null });
  });

  test("a certificate that has expired, is self-signed or is for another host is refused, with its reason", async () => {
    const answer = (socket: Socket) => socket.end("HTTP/1.1 204 No Content\r\n\r\n");
    expect(await attempt(await raw(answer, "valid"))).toMatchObject({ outcome: "delivered", answer: { tlsMs: expect.any(Number) } });
    expect(await attempt(await raw(answer, "expired"))).toMatchObject({
      outcome: "tls_expired",
      detail: "The certificate expired on 2025-03-01",
    });
    expect(await attempt(await raw(answer, "other-host"))).toMatchObject({ outcome: "tls_wrong_host" });
    setDefaultCACertificates(getCACertificates("bundled"));
    expect(await attempt(await raw(answer, "valid"))).toMatchObject({ outcome: "tls_untrusted" });
    expect(await attempt((await raw(answer)).replace("http:", "https:"))).toMatchObject({ outcome: "tls_failed" });
  });

  test("silence ends with the time limit, however much is said before the headers end", async () => {
    const silent = raw(() => undefined);
    const informational = raw((socket) => {
      const timer = setInterval(() => (socket.writable ? socket.write("HTTP/1.1 103 Early Hints\r\n\r\n") : clearInterval(timer)), 20);
    });
    const results = await Promise.all([attempt(await silent, undefined, 1000), attempt(await informational, undefined, 1000)]);
    for (const { outcome, totalMs } of results) {
      expect(["timeout", "malformed_answer"]).toContain(outcome);
      expectPace(totalMs, 1500);
    }
    expect(results[0]).toMatchObject({ outcome: "timeout", detail: "No response within 1 seconds" });
  });

  test("a connection that the target closed meanwhile is replaced without a failed attempt", async () => {
    let answers = 0;
    const url = await raw((socket) => {
      const answer = () => {
        answers += 1;
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      };
      answer();
      // The second request on this connection is met by a reset.
      socket.once("data", () => socket.resetAndDestroy());
    });
    const read = readTargetUrl(url);
    if (!read.ok) throw new Error(read.reason);
    const connection = new TargetConnection(read.target);
    const send = () => sendEmpty(connection);
    expect((await send())?.outcome).toBe("delivered");
    expect((await send())?.outcome).toBe("delivered");
    expect(answers).toBe(2);
    connection.close();
  });

  test.each([
    ["kept while it is young", undefined, 1],
    ["opened anew once it is old, although it is in constant use", 0, 2],
  ])("a connection is %s", async (_how, maxAgeMs, lookUps) => {
    const target = await startTarget();
    const read = readTargetUrl(`http://app.example:${target.port}/`);
    if (!read.ok) throw new Error(read.reason);
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return ["127.0.0.1"];
    };
    const connection = new TargetConnection(read.target, resolve, { maxAgeMs });
    for (let n = 0; n < 3; n += 1) expect(await sendEmpty(connection)).toMatchObject({ outcome: "delivered" });
    expect([asked, target.received.length]).toEqual([lookUps, 3]);
    connection.close();
    await target.close();
  });
});

describe("through FORWARD_PROXY", () => {
  test("the tunnel goes to the checked address, and the proxy's failures are its own", async () => {
    const target = await startTarget();
    const asked: string[] = [];
    const { createServer } = await import("node:http");
    const { connect } = await import("node:net");
    const proxy = createServer();
    proxy.on("connect", (request, socket) => {
      asked.push(`${request.url} ${request.headers["proxy-authorization"]}`);
      const [, port] = (request.url ?? "").split(":");
      const there = connect(Number(port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        there.pipe(socket).pipe(there);
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const { port } = proxy.address() as { port: number };
    resetEnv({ FORWARD_PROXY: `http://user:secret@127.0.0.1:${port}`, FORWARD_ALLOW: "127.0.0.1, app.example" });
    expect(await attempt(`http://app.example:${target.port}/`, async () => ["127.0.0.1"])).toMatchObject({ outcome: "delivered" });
    expect(asked).toEqual([`127.0.0.1:${target.port} Basic ${Buffer.from("user:secret").toString("base64")}`]);
    expect(await attempt(`http://10.0.0.1:${target.port}/`)).toMatchObject({ outcome: "refused" });
    expect(asked).toHaveLength(1);
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
    const failed = await attempt(`http://app.example:${target.port}/`, async () => ["127.0.0.1"]);
    expect(failed).toMatchObject({ outcome: "proxy_failed", detail: "FORWARD_PROXY can't be used: ECONNREFUSED" });
    await target.close();
  });
});

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestIsFromThisMachine } from "#lib/http/request-head";
import { createWebServer } from "#lib/processes/server/web-server";
import { useDatabase } from "#tests/support/database";
import { openWire, sayRaw, statusOf } from "#tests/support/raw-request";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

// Behaviour that only the wire can show. An echo replaces Next: it answers every request with 200.

useDatabase();

let server: Server;
const port = () => (server.address() as AddressInfo).port;

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await request.toArray());
  const { method, url, headers } = request;
  const seen = { method, url, type: headers["content-type"], bytes: body.length, text: body.toString().slice(0, 20) };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ ...seen, fromThisMachine: requestIsFromThisMachine() }));
}

beforeAll(async () => {
  const made = createWebServer();
  server = made.server;
  made.handlePages(echo);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(resolve));
});

/** A request's bytes; the connection ends after its answer. */
const request = (line: string, headers: string[] = [], body = "", host = "host: localhost") =>
  [`${line} HTTP/1.1`, ...(host ? [host] : []), "connection: close", ...headers, "", body].join("\r\n");
const jsonOf = (heard: string) =>
  JSON.parse(/\{.*\}/s.exec(heard.slice(heard.indexOf("\r\n\r\n")))?.[0] ?? "null") as Record<string, unknown>;

describe("a request's head", () => {
  it.each([
    ["TRACE /", 405],
    ["TRACE /api/v1/events", 405],
    ["PROPFIND /metrics", 405],
    ["TRACE /webhooks/platform", 405],
    ["CONNECT evil.example:443", 405],
    ["POST *", 400],
    ["OPTIONS *", 400],
    ["GET http://evil.example/events", 400],
    ["POST http://evil.example/webhooks/platform", 400],
    ["GET /events/%E0%A4%A", 400],
  ])("%s is answered %i", async (line, status) => {
    const heard = await sayRaw(port(), request(line));
    expect(statusOf(heard)).toBe(status);
    if (line.startsWith("CONNECT")) return;
    expect(heard).toMatch(/content-type: application\/problem\+json/i);
    expect(jsonOf(heard)).toMatchObject({ status });
    expect(heard).not.toContain("evil.example");
    if (status === 405) expect(heard).toMatch(/^allow: /im);
  });

  it.each([
    ["two", "host: localhost\r\nhost: evil.example"],
    ["an empty one", "host:"],
    ["an invalid one", "host: user@evil.example"],
    ["none", ""],
  ])("with %s for a Host is answered 400, for pages and webhooks", async (_, host) => {
    for (const line of ["GET /health/live", "POST /webhooks/platform"])
      expect(statusOf(await sayRaw(port(), request(line, [], "", host)))).toBe(400);
  });

  it.each([
    "/webhooks/../sign-in",
    "/webhooks/%2e%2e/sign-in",
    "/webhooks/.%2E/x",
    "/webhooks/..\\sign-in",
    "/webhooks/platform/..",
    "/a/./b?c=1",
  ])("%s is answered 400: nobody gets out of a prefix that a proxy publishes", async (path) => {
    for (const target of [path, `http://localhost${path}`]) {
      const heard = await sayRaw(port(), request(`GET ${target}`));
      expect(statusOf(heard)).toBe(400);
      expect(jsonOf(heard)).toMatchObject({ code: "invalid_request", detail: expect.stringContaining("segment") });
    }
  });

  it.each(["/events/a..b", "/.well-known/x", "/webhooks/...", "/events?from=/../x"])("%s holds no dot segment", async (path) => {
    expect(statusOf(await sayRaw(port(), request(`GET ${path}`)))).not.toBe(400);
  });

  it("with an absolute target of the same host is answered as its path", async () => {
    const heard = await sayRaw(port(), request("GET http://localhost/events/?a=1"));
    expect(jsonOf(heard)).toMatchObject({ url: "/events/?a=1" });
  });

  it.each([
    ["a length and chunks", ["content-length: 3", "transfer-encoding: chunked"]],
    ["two lengths", ["content-length: 3", "content-length: 5"]],
    ["a second coding", ["transfer-encoding: gzip, chunked"]],
    ["an unknown coding", ["transfer-encoding: xchunked"]],
    ["a length that is no number", ["content-length: 3x"]],
  ])("that leaves the body's end open to reading (%s) is refused, and nothing after it is read", async (_, headers) => {
    for (const line of ["POST /api/setup", "POST /webhooks/platform"]) {
      const heard = await sayRaw(port(), request(line, headers, `0\r\n\r\n${request("GET /smuggled")}`));
      expect([400, 0]).toContain(statusOf(heard)); // 0: Node ends the connection when its parser fails
      expect(heard).not.toContain("smuggled");
    }
  });
});

describe("a request to upgrade", () => {
  it("to h2c is answered as if it did not ask", async () => {
    const heard = await sayRaw(port(), request("GET /nowhere", ["upgrade: h2c", "connection: Upgrade"]));
    expect(jsonOf(heard)).toMatchObject({ url: "/nowhere" });
  });

  it("to a web socket is refused with words before the framework sees it, and the connection ends", async () => {
    const wire = openWire(port());
    wire.socket.write(request("GET /nowhere", ["upgrade: websocket", "connection: Upgrade"]).replace("connection: close\r\n", ""));
    const heard = await wire.ended;
    expect(statusOf(heard)).toBe(400);
    expect(jsonOf(heard)).toMatchObject({ code: "invalid_request", detail: expect.stringContaining("server-sent events") });
  });

  it("does not keep a signed webhook from being stored", { tags: ["deep"] }, async () => {
    const { source } = await makeWorkspace();
    const { body, headers } = signed(envelope());
    const all = {
      ...headers,
      upgrade: "h2c",
      connection: "Upgrade, HTTP2-Settings",
      "http2-settings": "AAMAAABk",
      "content-length": body.length,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    const wire = openWire(port());
    wire.socket.write(request(`POST /webhooks/${source}`, lines, body).replace("connection: close\r\n", ""));
    const heard = await wire.ended;
    expect(statusOf(heard)).toBe(200);
    expect(jsonOf(heard)).toMatchObject({ received: true });
  });
});

describe("a request's body", () => {
  it("reaches the framework whole, with its headers, with and without a length", async () => {
    const body = "x".repeat(65_536);
    const type = "content-type: application/json";
    const sized = await sayRaw(port(), request("POST /api/setup", [type, "content-length: 65536"], body));
    expect(jsonOf(sized)).toMatchObject({ method: "POST", url: "/api/setup", type: "application/json", bytes: 65_536 });
    const chunks = `8000\r\n${body.slice(0, 32_768)}\r\n8000\r\n${body.slice(32_768)}\r\n0\r\n\r\n`;
    const chunked = await sayRaw(port(), request("POST /api/setup", [type, "transfer-encoding: chunked"], chunks));
    expect(jsonOf(chunked)).toMatchObject({ bytes: 65_536, text: "x".repeat(20) });
  });

  it.each(["POST /api/setup", "POST /sign-in", "PUT /nowhere", "GET /events", "DELETE /api/v1/nowhere"])(
    "of %s over 64 KB is answered 413, and the connection closed",
    async (line) => {
      const body = "x".repeat(65_537);
      const sized = await sayRaw(port(), request(line, ["content-length: 65537"], body).replace("connection: close\r\n", ""));
      const chunked = await sayRaw(port(), request(line, ["transfer-encoding: chunked"], `10001\r\n${body}\r\n0\r\n\r\n`));
      for (const heard of [sized, chunked]) {
        expect(statusOf(heard)).toBe(413);
        expect(heard).toMatch(/^connection: close/im);
        expect(jsonOf(heard)).toMatchObject({ code: "too_large" });
      }
    },
  );

  it("that is announced too large is refused before its sender is told to go on", async () => {
    const expects = ["expect: 100-continue", "content-length: 400000000"];
    const refused = await sayRaw(port(), request("POST /api/setup", expects));
    expect(statusOf(refused)).toBe(413);
    const taken = await sayRaw(port(), request("POST /api/setup", ["expect: 100-continue", "content-length: 2"], "{}"));
    expect(taken).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/);
  });

  it("that does not arrive within 10 s is answered 408", { tags: ["deep"], timeout: 120_000 }, async () => {
    const wire = openWire(port());
    wire.socket.write(request("POST /api/setup", ["content-length: 1000"], "x"));
    const drip = setInterval(() => wire.socket.write("x"), 500);
    const heard = await wire.ended;
    clearInterval(drip);
    expect(statusOf(heard)).toBe(408);
    expect(jsonOf(heard)).toMatchObject({ code: "too_slow" });
  });
});

it("knows which requests come from this machine: no proxy may have brought them", async () => {
  const ask = async (...headers: string[]) => jsonOf(await sayRaw(port(), request("GET /metrics", headers))).fromThisMachine;
  expect(await ask()).toBe(true);
  expect(await ask("x-forwarded-for: 127.0.0.1")).toBe(false);
  expect(await ask("forwarded: for=203.0.113.9")).toBe(false);
  expect(await ask("via: 1.1 proxy")).toBe(false);
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { makeApi } from "../../packages/cli/src/api-client.ts";
import { targetUrl } from "../../packages/cli/src/deliver.ts";
import { originOf } from "../../packages/cli/src/settings.ts";

// What developers type, and what stands between them and Signalbox.

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

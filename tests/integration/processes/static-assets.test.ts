import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { compressAssets, readCompressedAssets } from "#lib/installation/compressed-assets";
import { assetHandler } from "#lib/processes/server/web-server";
import { temporaryFolder } from "#tests/support/temporary-folder";

const SCRIPT = `console.log(${JSON.stringify("a script that a build has made ".repeat(200))});`;

/** A server with one script in its build; what it leaves to Next is answered 204. */
async function serve() {
  const root = temporaryFolder();
  mkdirSync(path.join(root, ".next/static/chunks"), { recursive: true });
  writeFileSync(path.join(root, ".next/static/chunks/a~b.js"), SCRIPT);
  await compressAssets(root);
  const answerAsset = assetHandler(readCompressedAssets(root));
  const server = createServer((asked, response) => void (answerAsset(asked, response) || response.writeHead(204).end()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return (url: string, headers: Record<string, string>, method = "GET") =>
    new Promise<{ status: number | undefined; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      const asked = request({ host: "127.0.0.1", port, path: url, method, headers, agent: false }, async (response) =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(await response.toArray()) }),
      );
      asked.on("error", reject).end();
    });
}

it("sends a script as the build has compressed it, to be kept for ever", async () => {
  const ask = await serve();
  const { status, headers, body } = await ask("/_next/static/chunks/a~b.js", { "accept-encoding": "gzip, deflate, br, zstd" });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-encoding": "br",
    "content-type": "application/javascript; charset=UTF-8",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    vary: "Accept-Encoding",
  });
  expect(Number(headers["content-length"])).toBe(body.length);
  expect(body.length).toBeLessThan(SCRIPT.length / 10);
  expect(brotliDecompressSync(body).toString()).toBe(SCRIPT);
  expect(await ask("/_next/static/chunks/a~b.js?v=1", { "accept-encoding": "br" }, "HEAD")).toMatchObject({
    status: 200,
    body: Buffer.of(),
  });
});

it.each([
  ["/_next/static/chunks/a~b.js", { "accept-encoding": "gzip" }, "GET"],
  ["/_next/static/chunks/a~b.js", {}, "GET"],
  ["/_next/static/chunks/a~b.js", { "accept-encoding": "gzip, br;q=0" }, "GET"],
  ["/_next/static/chunks/a~b.js", { "accept-encoding": "br", range: "bytes=0-9" }, "GET"],
  ["/_next/static/chunks/a~b.js", { "accept-encoding": "br" }, "POST"],
  ["/_next/static/chunks/a~b.js.br", { "accept-encoding": "br" }, "GET"],
  ["/_next/static/../static/chunks/a~b.js", { "accept-encoding": "br" }, "GET"],
  ["/_next/static/chunks/none.js", { "accept-encoding": "br" }, "GET"],
])("leaves %s with %o by %s to Next", async (url, headers, method) => {
  const ask = await serve();
  expect((await ask(url, headers, method)).status).toBe(204);
});

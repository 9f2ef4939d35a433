import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { listEndpoints } from "./routes.ts";

/**
 * The API's own handlers behind a real HTTP server on a free port, for clients
 * that know nothing of us. Only the framework's part, finding the file of an
 * address, is played here.
 */
export async function openApiServer(): Promise<{ url: string; close: () => Promise<void> }> {
  const endpoints = await listEndpoints();
  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? "/", "http://localhost:3000");
    const chunks = await incoming.toArray();
    for (const { route, method, handler } of endpoints) {
      const match = new RegExp(`^/${route.replaceAll(/\[(\w+)\]/g, "(?<$1>[^/]+)")}$`).exec(url.pathname);
      if (!match || method !== incoming.method) continue;
      const params = Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]));
      const init = {
        method,
        headers: incoming.headers as Record<string, string>,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      };
      const answer = await handler(new Request(url, init), { params: Promise.resolve(params) });
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body) Readable.fromWeb(answer.body as never).pipe(outgoing);
      else outgoing.end();
      return;
    }
    outgoing.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => new Promise((resolve) => void server.close(() => resolve())) };
}

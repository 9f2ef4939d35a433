import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { ownPort } from "./own-port.ts";
import { listEndpoints } from "./routes.ts";

/** Answers requests by the API's own handlers. Only the framework's part, which file a URL leads to, is played here. */
export async function apiListener(
  isWanted?: (file: string) => boolean,
): Promise<(incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>> {
  // As in the framework, a fixed path wins over a parameter.
  const endpoints = (await listEndpoints(isWanted)).sort((a, b) => Number(a.route.includes("[")) - Number(b.route.includes("[")));
  return async (incoming, outgoing) => {
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
        signal: leaving(outgoing),
      };
      const answer = await handler(new Request(url, init), { params: Promise.resolve(params) });
      if (outgoing.destroyed) return answer.body?.cancel(); // the client has left
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
      outgoing.flushHeaders();
      if (answer.body) pipeline(Readable.fromWeb(answer.body as never), outgoing, () => {});
      else outgoing.end();
      return;
    }
    outgoing.writeHead(404).end();
  };
}

/** The API's own handlers behind a real HTTP server, for clients that know nothing of us. */
export async function openApiServer(port = ownPort()): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(await apiListener());
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  };
  return { url, close };
}

/** Aborts when the client has left before its answer was complete. */
function leaving(outgoing: ServerResponse): AbortSignal {
  const abort = new AbortController();
  outgoing.once("close", () => abort.abort());
  return abort.signal;
}

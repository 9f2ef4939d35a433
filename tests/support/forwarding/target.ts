import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that a target received. */
export type Received = { path: string; headers: IncomingHttpHeaders; body: Buffer; at: number };

/** A real HTTP server that records what it is sent. */
export type Target = { url: string; port: number; received: Received[]; close: () => Promise<void> };

/**
 * Starts a target on 127.0.0.1.
 *
 * @param answer answers each request once its body is there; 200 unless told otherwise
 */
export async function startTarget(answer: (received: Received, ...http: Parameters<RequestListener>) => void = ok): Promise<Target> {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks), at: Date.now() };
      received.push(one);
      answer(one, request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function ok(_received: Received, ...[, response]: Parameters<RequestListener>): void {
  response.end("ok");
}

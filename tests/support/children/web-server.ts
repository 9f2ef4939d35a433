import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createWebServer } from "#lib/processes/server/web-server";
import { apiListener } from "#tests/support/api-server";

// The web process's server. In place of Next stands what is worst about it: it
// reads the whole body, however large; or the API's own handlers. Tells its port, and its peak memory
// (KiB) to whoever sends a message.

async function readAll(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const bytes = Buffer.concat(await request.toArray()).length;
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ url: request.url, bytes }));
}

/** The others need a bundler: they import the framework, or all routes. */
const runsInNode = (file: string) => file.startsWith("api/v1/") && !/openapi\.json|mcp/.test(file);

const { server, handlePages } = createWebServer();
handlePages(process.env.WITH_API === "yes" ? await apiListener(runsInNode) : readAll);
process.on("message", () => process.send?.({ peakKib: process.resourceUsage().maxRSS }));
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));

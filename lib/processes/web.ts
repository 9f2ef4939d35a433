import { createServer, type RequestListener, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import next from "next";
import { env } from "#lib/config/env";
import { ROOT } from "#lib/config/process-environment";
import { closeListening } from "#lib/db/listen";
import { closePools } from "#lib/db/pool";
import { closePrisma } from "#lib/db/prisma";
import { openStreams } from "#lib/http/event-stream";
import { withRequestAddress } from "#lib/http/request-address";
import { TRANSPORT_SECURITY } from "#lib/http/security-headers";
import { logger } from "#lib/observability/logger";
import { addressOf } from "./address-of.ts";
import { endWith, reportReady, runProcess } from "./lifetime.ts";
import { SERVER_TIMEOUTS } from "./server-timeouts.ts";
import { webhookDoor, webhookSource } from "./webhook-door.ts";

// The web process of `npm start` and `npm run dev`: one port, webhooks straight
// to the receiver, everything else to Next.

const FINISH_LIMIT_MS = 5000;

async function main(): Promise<void> {
  const { PORT, NODE_ENV } = env();
  const server = createServer(SERVER_TIMEOUTS);
  const app = next({ dev: NODE_ENV === "development", dir: ROOT, port: PORT, hostname: "localhost", httpServer: server });
  await app.prepare();
  const handlePage = app.getRequestHandler();
  server.on("request", answer(handlePage));
  await listening(server, PORT);
  endWith(async () => {
    await finishRequests(server);
    await Promise.all([closePrisma(), closeListening()]);
    await closePools();
  });
  logger().info({ port: PORT }, "the web process takes requests");
  reportReady();
}

/** Also for the receiver, which Next and its headers don't see. */
const EVERY_ANSWER = [
  ["x-content-type-options", "nosniff"],
  ...(env().APP_URL.startsWith("https:") ? [["strict-transport-security", TRANSPORT_SECURITY] as const] : []),
] as const;

const answer =
  (handlePage: ReturnType<ReturnType<typeof next>["getRequestHandler"]>): RequestListener =>
  (request, response) => {
    for (const [name, value] of EVERY_ANSWER) response.setHeader(name, value);
    const handled =
      webhookSource(request.url) === null
        ? withRequestAddress(addressOf(request), () => handlePage(request, response))
        : webhookDoor(request, response);
    handled.catch((error: unknown) => {
      logger().error({ err: error }, "a request failed");
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  };

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Takes no more connections, ends the streams, lets running requests finish, then cuts what is left. */
async function finishRequests(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  for (const endStream of openStreams()) endStream();
  await Promise.race([closed, sleep(FINISH_LIMIT_MS)]);
  clearInterval(idle);
  server.closeAllConnections();
}

await runProcess(main);

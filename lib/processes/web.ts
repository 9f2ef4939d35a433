import { createServer, type Server } from "node:http";
import next from "next";
import { anonymousRecorded } from "#lib/auth/audit/audit-anonymous";
import { keepRunning } from "#lib/background/loop";
import { WEB_LOOPS } from "#lib/background/web-loops";
import { EnvError, env } from "#lib/config/env";
import { closeListening } from "#lib/db/notify/listen";
import { closePools } from "#lib/db/pool";
import { loadPrisma } from "#lib/db/prisma";
import { standInForWorkers } from "#lib/flows/alerts/run-alerts";
import { tokenWorkSettled } from "#lib/flows/connections/tokens/under-way";
import { processReceiver } from "#lib/flows/ingest/receiver";
import { receiverPresence } from "#lib/flows/outages/receiver-presence";
import { openStreams } from "#lib/http/event-stream";
import { ROOT } from "#lib/installation/process-environment";
import { STOP_LIMITS } from "#lib/installation/stop-limits";
import { logger } from "#lib/observability/logger";
import { endTracing, startTracing } from "#lib/observability/tracing/active-tracing";
import { inTime } from "#lib/time/in-time";
import { type Lifetime, reportBeats, reportReady, runProcess } from "./lifetime.ts";
import { assertSchema, refuseLater } from "./server/refuse-schema.ts";
import { createWebServer } from "./server/web-server.ts";

// The web process of `npm start` and `npm run dev`: one port, webhooks straight
// to the receiver, everything else to Next.

/**
 * Time that a stop waits for the audit log's entries about the last failed sign-ins and the counts of rejected and unanswered
 * requests, in milliseconds.
 */
const RECORDING_MS = 300;
/** And for an alert that is just being sent in place of a worker, or for tokens that are just being stored, in milliseconds; both are tried again later. */
const STANDING_IN_MS = 500;

async function main({ stopping, endWith }: Lifetime): Promise<void> {
  const { PORT, NODE_ENV, DATABASE_URL = "" } = env();
  await startTracing();
  const { server, handlePages } = createWebServer();
  let standingIn: Promise<void> | undefined;
  const loops: Promise<void>[] = [];
  // Before the first request: one may hold a token that the platform has just rotated.
  endWith(async () => {
    // From now on nobody is let in.
    const { rejections, outages } = processReceiver();
    await Promise.all([finishRequests(server), receiverPresence().beat()]);
    await inTime(tokenWorkSettled(), STOP_LIMITS.token - STOP_LIMITS.work, () => undefined);
    await inTime(Promise.all([standingIn, ...loops]), STANDING_IN_MS, () => undefined);
    await inTime(Promise.all([anonymousRecorded(), rejections.flush(), outages.flush()]), RECORDING_MS, () => undefined);
    await inTime(endTracing(), STOP_LIMITS.traces, () => undefined);
    await closeListening();
    await closePools();
  });
  const unfit = await assertSchema(DATABASE_URL).catch((error: unknown) => error);
  if (unfit instanceof EnvError) throw unfit;
  const dev = NODE_ENV === "development";
  // Next listens for upgrades on the server that it is given, and holds sockets whose path it does not know. In
  // production nothing of it uses them: it gets a server that never listens.
  const app = next({ dev, dir: ROOT, port: PORT, hostname: "localhost", httpServer: dev ? server : createServer() });
  await Promise.all([app.prepare(), loadPrisma()]);
  handlePages(app.getRequestHandler());
  if (stopping.aborted) return;
  await listening(server, PORT);
  reportBeats();
  if (unfit) void refuseLater(stopping, DATABASE_URL);
  standingIn = standInForWorkers(stopping);
  loops.push(...WEB_LOOPS.map(({ name, run }) => keepRunning(name, run, stopping)));
  logger().info({ port: PORT }, "the web process is ready");
  reportReady();
}

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
  await inTime(closed, STOP_LIMITS.work, () => undefined);
  clearInterval(idle);
  server.closeAllConnections();
}

await runProcess(main);

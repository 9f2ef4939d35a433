import { createServer, type Server } from "node:http";
import next from "next";
import { anonymousRecorded } from "#lib/auth/audit/audit-anonymous";
import { keepRunning } from "#lib/background/loop";
import { WEB_LOOPS } from "#lib/background/web-loops";
import { EnvError, env } from "#lib/config/env";
import { closeListening } from "#lib/db/notifications";
import { closePools } from "#lib/db/pool";
import { setConnections, wantedConnections } from "#lib/db/pool-sizes";
import { loadPrisma } from "#lib/db/prisma";
import { standInForWorkers } from "#lib/flows/alerts/watch-alerts";
import { tokenWorkSettled } from "#lib/flows/connections/tokens";
import { processReceiver } from "#lib/flows/ingest/receiver";
import { receiverPresence } from "#lib/flows/outages/outages";
import { openStreams } from "#lib/http/streamed-answer";
import { ROOT } from "#lib/installation/process-environment";
import { STOP_LIMITS } from "#lib/installation/stop-limits";
import { endTracing, startTracing } from "#lib/observability/active-tracing";
import { logger } from "#lib/observability/logger";
import { inTime } from "#lib/time/waits";
import { assertSchema, givenConnections, refuseLater } from "./database-checks.ts";
import { type Lifetime, reportBeats, reportReady, runProcess } from "./lifetime.ts";
import { createWebServer } from "./server/web-server.ts";

// The web process: one port, webhooks straight to the receiver, everything else to Next.

/** A stop waits this long for audit entries of failed sign-ins and counts of rejected requests. */
const RECORDING_MS = 300;
/** And this long for an alert or tokens in hand: both are tried again later. */
const STANDING_IN_MS = 500;

async function main({ stopping, endWith }: Lifetime): Promise<void> {
  const { PORT, NODE_ENV, DATABASE_URL = "" } = env();
  setConnections("web", givenConnections() ?? wantedConnections("web"));
  await startTracing();
  const { server, handlePages } = createWebServer();
  let standingIn: Promise<void> | undefined;
  const loops: Promise<void>[] = [];
  // Before the first request: one may hold a token that the platform has just rotated.
  endWith(async () => {
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
  // Next holds sockets whose path it doesn't know. In production it needs no upgrades, so it gets a server that never listens.
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

/** Stops accepting, ends the streams, lets running requests finish, then cuts what is left. */
async function finishRequests(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  for (const endStream of openStreams()) endStream();
  await inTime(closed, STOP_LIMITS.work, () => undefined);
  clearInterval(idle);
  server.closeAllConnections();
}

await runProcess(main);

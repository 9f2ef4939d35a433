import { spawn } from "node:child_process";
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import next from "next";
import { resetEnv } from "#lib/config/env";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { prisma } from "#lib/db/prisma";
import { createReceiver } from "#lib/flows/ingest/receiver";
import type { NewEvent } from "#lib/ingest/receipt";
import { startTracing } from "#lib/observability/active-tracing";
import { webhookHandler } from "#lib/processes/server/webhook-handler";
import { newEvent } from "#tests/support/new-event";
import type { ServerKind } from "./harness.ts";

// One server to be measured, in a process of its own. `native`: the receiver's
// own server, as npm start runs it; `traced` the same with every event traced to a
// collector that throws it away. `route`: the same receiver behind Next's
// route handler, as hosts that run Next alone have it. `naive`: bare node:http
// with Prisma's create for each table and one transaction a request. `limit`,
// what any receiver on this machine could reach, is in bare-server.ts.

type Order = { kind: Exclude<ServerKind, "limit">; secret: string; workspaceId: WorkspaceId; sourceId: SourceId };

process.once("message", async (order: Order) => {
  const server = createServer(await handlerOf(order)).listen(0, "127.0.0.1", () =>
    process.send?.({ port: (server.address() as AddressInfo).port }),
  );
});
process.once("disconnect", () => process.exit(0));

async function handlerOf(order: Order): Promise<RequestListener> {
  if (order.kind === "native") {
    const handle = webhookHandler(createReceiver());
    return (request, response) => void handle(request, response);
  }
  if (order.kind === "traced") return traced();
  if (order.kind === "route") return nextAlone();
  return naive(order, onePrismaTransactionEach());
}

async function traced(): Promise<RequestListener> {
  const collector = await startSink();
  resetEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: collector });
  await startTracing();
  const handle = webhookHandler(createReceiver());
  return (request, response) => void handle(request, response);
}

/** A collector that throws away what it gets, in a process of its own. @returns its URL */
function startSink(): Promise<string> {
  const program = `require("node:http").createServer((q, s) => q.resume().on("end", () => s.end())).listen(0, "127.0.0.1", function () { console.log(this.address().port); })`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => child.kill());
  return new Promise((resolve) => child.stdout.once("data", (port: Buffer) => resolve(`http://127.0.0.1:${String(port).trim()}`)));
}

async function nextAlone(): Promise<RequestListener> {
  const app = next({ dev: false, dir: path.resolve(import.meta.dirname, "../..") });
  await app.prepare();
  const handle = app.getRequestHandler();
  return (request, response) => void handle(request, response);
}

type Store = (event: NewEvent) => Promise<unknown>;

function onePrismaTransactionEach(): Store {
  let seq = 0n;
  return ({ headers, receivedBody: _, ...event }) => {
    seq += 1n;
    const { workspaceId, sourceId, eventId, receivedAt } = event;
    const body = new Uint8Array(event.body);
    const bodySha256 = new Uint8Array(createHash("sha256").update(body).digest());
    return prisma().$transaction([
      prisma().eventKey.create({ data: { workspaceId, sourceId, eventId, receivedAt, seq, bodySha256 } }),
      prisma().event.create({ data: { ...event, seq, created: BigInt(event.created), body, headers } }),
    ]);
  };
}

function naive({ secret, workspaceId, sourceId }: Order, store: Store): RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const body = Buffer.concat(chunks);
      const given = Buffer.from(String(request.headers["x-webhook-signature"]), "hex");
      if (!timingSafeEqual(createHmac("sha256", secret).update(body).digest(), given)) return response.writeHead(401).end();
      const { id, type, created } = JSON.parse(body.toString()) as { id: string; type: string; created: number };
      await store(newEvent({ workspaceId, sourceId, eventId: id, type, created, body }));
      const answer = JSON.stringify({ received: true, id, duplicate: false });
      return response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) }).end(answer);
    });
  };
}

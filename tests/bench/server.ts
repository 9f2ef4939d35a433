import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import next from "next";
import type { SourceId, WorkspaceId } from "#lib/contracts/ids";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { GroupCommit } from "#lib/events/group-commit";
import { appendEvents } from "#lib/events/log-store";
import type { NewEvent, Receipt } from "#lib/events/receipt";
import { webhookDoor } from "#lib/processes/webhook-door";
import { newEvent } from "#tests/support/new-event";
import type { ServerKind } from "./harness.ts";

// One server to be measured, in a process of its own. `door`: the receiver's
// native door, as npm start opens it. `route`: the same receiver behind Next's
// route handler, as hosts that run Next alone have it. `limit`: what any
// receiver on this machine could reach: bare node:http, the same verification,
// the same grouped insert, nothing else. `naive`: the same, with Prisma's
// create for each table and one transaction a request.

type Order = { kind: ServerKind; secret: string; workspaceId: WorkspaceId; sourceId: SourceId };

process.once("message", async (order: Order) => {
  const server = createServer(await handlerOf(order)).listen(0, "127.0.0.1", () =>
    process.send?.({ port: (server.address() as AddressInfo).port }),
  );
});
process.once("disconnect", () => process.exit(0));

async function handlerOf(order: Order): Promise<RequestListener> {
  if (order.kind === "door") return (request, response) => void webhookDoor(request, response);
  if (order.kind === "route") return nextAlone();
  return bare(order, order.kind === "limit" ? grouped() : onePrismaTransactionEach());
}

async function nextAlone(): Promise<RequestListener> {
  const app = next({ dev: false, dir: path.resolve(import.meta.dirname, "../..") });
  await app.prepare();
  const handle = app.getRequestHandler();
  return (request, response) => void handle(request, response);
}

type Store = (event: NewEvent) => Promise<unknown>;

function grouped(): Store {
  const commits = new GroupCommit<NewEvent, Receipt>({
    maxItems: 256,
    maxBytes: 8_388_608,
    maxWaitingBytes: 67_108_864,
    patienceMs: 5000,
    isItemsFault: () => false,
    flush: (events) => appendEvents(pool("receiver"), events),
  });
  return (event) => commits.submit(event, event.body.length);
}

function onePrismaTransactionEach(): Store {
  let seq = 0n;
  return ({ headers, ...event }) => {
    seq += 1n;
    const { workspaceId, sourceId, eventId, receivedAt } = event;
    const body = new Uint8Array(event.body);
    const bodySha256 = new Uint8Array(createHash("sha256").update(body).digest());
    return prisma().$transaction([
      prisma().eventKey.create({ data: { workspaceId, sourceId, eventId, receivedAt, seq, bodySha256 } }),
      prisma().event.create({ data: { ...event, seq, created: BigInt(event.created), body, headers } }),
      prisma().inboxEntry.create({ data: { workspaceId, receivedAt, seq } }),
    ]);
  };
}

function bare({ secret, workspaceId, sourceId }: Order, store: Store): RequestListener {
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

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SourceId, WorkspaceId } from "#lib/contracts/ids";
import { pool } from "#lib/db/pool";
import { GroupCommit } from "#lib/events/group-commit";
import { appendEvents } from "#lib/events/log-store";
import type { NewEvent, Receipt } from "#lib/events/receipt";
import { webhookDoor } from "#lib/processes/webhook-door";

// One server to be measured, in a process of its own. `door`: the receiver's
// native door, as npm start opens it. `limit`: what any receiver on this
// machine could reach: bare node:http, the same verification, the same grouped
// insert, nothing else.

type Order = { kind: "door" | "limit"; secret: string; workspaceId: WorkspaceId; sourceId: SourceId };

process.once("message", (order: Order) => {
  const handler =
    order.kind === "door" ? (request: IncomingMessage, response: ServerResponse) => void webhookDoor(request, response) : limit(order);
  const server = createServer(handler).listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.once("disconnect", () => process.exit(0));

function limit({ secret, workspaceId, sourceId }: Order) {
  const commits = new GroupCommit<NewEvent, Receipt>({
    maxItems: 256,
    maxBytes: 8_388_608,
    maxWaitingBytes: 67_108_864,
    patienceMs: 5000,
    isItemsFault: () => false,
    flush: (events) => appendEvents(pool("receiver"), events),
  });
  return (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const body = Buffer.concat(chunks);
      const given = Buffer.from(String(request.headers["x-webhook-signature"]), "hex");
      if (!timingSafeEqual(createHmac("sha256", secret).update(body).digest(), given)) return response.writeHead(401).end();
      const { id, type, created } = JSON.parse(body.toString()) as { id: string; type: string; created: number };
      await commits.submit(
        {
          workspaceId,
          sourceId,
          eventId: id,
          type,
          created,
          recognised: true,
          signatureForm: "raw",
          secretId: "s",
          body,
          headers: {},
          remoteAddress: null,
          receivedAt: new Date(),
        },
        body.length,
      );
      const answer = JSON.stringify({ received: true, id, duplicate: false });
      return response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) }).end(answer);
    });
  };
}

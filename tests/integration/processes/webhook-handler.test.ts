import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { webhookHandler } from "#lib/processes/server/webhook-handler";
import { useDatabase } from "#tests/support/database";

// Behaviour that only the wire can show; the answers themselves are in the receiver's own tests.

useDatabase({ WEBHOOK_MAX_BYTES: "2048" });

let server: Server;
let failure: unknown;

beforeAll(async () => {
  const handle = webhookHandler(createReceiver());
  server = createServer((request, response) => void handle(request, response).catch((error: unknown) => (failure = error)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => new Promise((resolve) => void server.close(resolve)));

/** Sends raw bytes, listens only when all are sent (as simple senders do), and returns what it hears until the connection ends. */
function speak(...pieces: (string | Buffer)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    let heard = "";
    socket.pause();
    socket.on("data", (chunk) => (heard += chunk.toString()));
    socket.on("error", () => resolve(heard));
    socket.on("close", () => resolve(heard));
    socket.write(Buffer.concat(pieces.map((piece) => Buffer.from(piece))), () => socket.resume());
  });
}

const head = (...lines: string[]) =>
  ["POST /webhooks/nobody HTTP/1.1", "Host: localhost", "Connection: close", ...lines, "", ""].join("\r\n");

test("a sender of too much hears its answer although it goes on sending", async () => {
  const heard = await speak(head("Content-Length: 8000000"), Buffer.alloc(8_000_000, "x"));
  expect(heard).toMatch(/^HTTP\/1\.1 (404|413) /);
});

test("a sender that goes away in the middle of its body disturbs nobody", async () => {
  await new Promise<void>((resolve) => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () => {
      socket.write(`${head("Content-Length: 1000")}half`);
      setTimeout(() => socket.destroy(), 50);
    });
    socket.on("close", () => resolve());
  });
  expect(await speak(head("Content-Length: 2"), "{}")).toContain("unknown_source");
  expect(failure).toBeUndefined();
});

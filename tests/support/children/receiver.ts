import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { webhookHandler } from "#lib/processes/server/webhook-handler";

// A process of its own that takes webhooks, as the web process of npm start does. Tells its port.

const handle = webhookHandler(createReceiver());
const server = createServer((request, response) => void handle(request, response));
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));

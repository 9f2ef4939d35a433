import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { webhookDoor } from "#lib/processes/webhook-door";

// A process of its own that takes webhooks, as the web process of npm start does. Tells its port.

const server = createServer((request, response) => void webhookDoor(request, response));
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SERVER_TIMEOUTS } from "#lib/processes/server-timeouts";
import { webhookDoor } from "#lib/processes/webhook-door";
import * as route from "../../app/webhooks/[source]/route.ts";

/** One of the receiver's two doors, knocked on the same way. */
export type Door = {
  name: string;
  open: () => Promise<void>;
  close: () => Promise<void>;
  /** For what no client says politely; null where there is no wire. */
  port: () => number | null;
  knock: (source: string, init: { method?: string; headers?: Record<string, string>; body?: Uint8Array | string }) => Promise<Response>;
};

/** `node:http` on a free port, as lib/processes/web.ts opens it; requests travel over the wire. */
export function nativeDoor(): Door {
  let server: Server;
  return {
    name: "node:http",
    open: async () => {
      server = createServer(SERVER_TIMEOUTS, (request, response) => void webhookDoor(request, response));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
    port: () => (server.address() as AddressInfo).port,
    knock: (source, init) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/${source}`, requestInit(init)),
  };
}

/** The Next route handler, called with the requests that Next would make. */
export function routeDoor(): Door {
  return {
    name: "route handler",
    open: async () => undefined,
    close: async () => undefined,
    port: () => null,
    knock: async (source, init) => {
      const request = new Request(`http://localhost:3000/webhooks/${source}`, requestInit(init));
      const handler = new Map(Object.entries(route)).get(request.method);
      if (!handler) throw new Error(`the route has no ${request.method}`);
      return handler(request, { params: Promise.resolve({ source }) });
    },
  };
}

function requestInit({ method = "POST", headers = {}, body }: Parameters<Door["knock"]>[1]): RequestInit {
  return { method, headers, ...(body !== undefined && { body: Buffer.from(body) as BodyInit }) };
}

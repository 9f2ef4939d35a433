import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { SERVER_TIMEOUTS } from "#lib/processes/server-timeouts";
import { webhookDoor } from "#lib/processes/webhook-door";
import * as route from "../../app/webhooks/[source]/route.ts";

type Knock = {
  method?: string;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
  /** In place of a body: sent in chunks, without a length. */
  stream?: ReadableStream<Uint8Array>;
};

/** One of the receiver's two doors, knocked on the same way. */
export type Door = {
  name: string;
  open: () => Promise<void>;
  close: () => Promise<void>;
  /** For what no client says politely; null where there is no wire. */
  port: () => number | null;
  knock: (source: string, init: Knock) => Promise<Response>;
};

/**
 * `node:http` on a free port, as lib/processes/web.ts opens it; requests travel over the wire.
 *
 * @param onAnswer is told how long each took from the last byte of its body to its answer, in milliseconds
 */
export function nativeDoor(onAnswer?: (ms: number) => void): Door {
  let server: Server;
  return {
    name: "node:http",
    open: async () => {
      server = createServer(SERVER_TIMEOUTS, (request, response) => {
        if (onAnswer) {
          let end = performance.now();
          request.once("end", () => {
            end = performance.now();
          });
          response.once("finish", () => onAnswer(performance.now() - end));
        }
        void webhookDoor(request, response);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
    port: () => (server.address() as AddressInfo).port,
    knock: (source, init) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/${source}`, requestInit(init)),
  };
}

/** The native door, open while the tests of a file or of a `describe` run. */
export function useNativeDoor(): Door {
  const door = nativeDoor();
  beforeAll(() => door.open());
  afterAll(() => door.close());
  return door;
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

function requestInit({ method = "POST", headers = {}, body, stream }: Knock): RequestInit {
  if (stream) return { method, headers, body: stream, duplex: "half" } as RequestInit;
  return { method, headers, ...(body !== undefined && { body: Buffer.from(body) as BodyInit }) };
}

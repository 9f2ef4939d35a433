import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { webhookRoute } from "#lib/flows/ingest/receive-webhook";
import { createReceiver, type Receiver } from "#lib/flows/ingest/receiver";
import { serverTimeouts } from "#lib/processes/server/server-limits";
import { webhookHandler } from "#lib/processes/server/webhook-handler";
import * as route from "../../app/webhooks/[source]/route.ts";
import { DEEP } from "./sample.ts";

type WebhookInit = {
  method?: string;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
  /** In place of a body: sent in chunks, without a length. */
  stream?: ReadableStream<Uint8Array>;
};

/** One of the receiver's two handlers, which tests send to in the same way. */
export type TestReceiver = {
  name: string;
  /** Puts another receiver behind it, as a start of the process does: without it, one that knows and counted nothing yet. */
  renew: (receiver?: Receiver) => void;
  open: () => Promise<void>;
  close: () => Promise<void>;
  /** For what no client says politely; null where there is no wire. */
  port: () => number | null;
  send: (source: string, init: WebhookInit) => Promise<Response>;
};

/**
 * `node:http` on a free port, as lib/processes/web.ts opens it; requests travel over the wire.
 *
 * @param onAnswer is told how long each took from the last byte of its body to its answer, in milliseconds
 */
export function nodeReceiver(onAnswer?: (ms: number) => void): TestReceiver {
  let server: Server;
  let handle: ReturnType<typeof webhookHandler> | undefined;
  const current = () => {
    handle ??= webhookHandler(createReceiver());
    return handle;
  };
  return {
    name: "node:http",
    renew: (receiver = createReceiver()) => {
      handle = webhookHandler(receiver);
    },
    open: async () => {
      server = createServer(serverTimeouts(0), (request, response) => {
        if (onAnswer) {
          let end = performance.now();
          request.once("end", () => {
            end = performance.now();
          });
          response.once("finish", () => onAnswer(performance.now() - end));
        }
        void current()(request, response);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
    port: () => (server.address() as AddressInfo).port,
    send: (source, init) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/${source}`, requestInit(init)),
  };
}

/** Both handlers of the receiver in the deep suite; the quick one sends to that of `npm start`. */
export const receiversUnderTest = (ofStart = nodeReceiver()): TestReceiver[] => (DEEP ? [ofStart, routeReceiver()] : [ofStart]);

/** Open while the tests of a file or of a `describe` run, with a receiver of its own behind it for each of them. */
export function useReceiver(receiver: TestReceiver): TestReceiver {
  beforeAll(() => receiver.open());
  beforeEach(() => receiver.renew());
  afterAll(() => receiver.close());
  return receiver;
}

/** The same over the wire, with a sender that sends again while its webhook is not stored: a busy machine answers 503 first. */
export function useNodeReceiver(): TestReceiver {
  const receiver = useReceiver(nodeReceiver());
  return { ...receiver, send: (source, init) => sendAgain(() => receiver.send(source, init), init.stream ? 1 : MAX_TRIES) };
}

const MAX_TRIES = 40;
const PAUSE_MS = 250;

/** @returns the first answer that is not the receiver's 503 `unavailable`; the last one when all tries are used up */
async function sendAgain(send: () => Promise<Response>, tries: number): Promise<Response> {
  const answer = await send();
  if (answer.status !== 503 || tries === 1) return answer;
  const { code } = (await answer.clone().json()) as { code: string };
  if (code !== "unavailable") return answer;
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  return sendAgain(send, tries - 1);
}

/** The Next route handler, called with the requests that Next would make. */
export function routeReceiver(): TestReceiver {
  let receiver: Receiver | undefined;
  const current = () => {
    receiver ??= createReceiver();
    return receiver;
  };
  return {
    name: "route handler",
    renew: (next = createReceiver()) => {
      receiver = next;
    },
    open: async () => undefined,
    close: async () => undefined,
    port: () => null,
    send: async (source, init) => {
      const request = new Request(`http://localhost:3000/webhooks/${source}`, requestInit(init));
      if (!(request.method in route)) throw new Error(`the route has no ${request.method}`);
      return webhookRoute(current)(request, { params: Promise.resolve({ source }) });
    },
  };
}

function requestInit({ method = "POST", headers = {}, body, stream }: WebhookInit): RequestInit {
  if (stream) return { method, headers, body: stream, duplex: "half" } as RequestInit;
  return { method, headers, ...(body !== undefined && { body: Buffer.from(body) as BodyInit }) };
}

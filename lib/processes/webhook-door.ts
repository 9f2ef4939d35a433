import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "#lib/config/env";
import { receiveWebhook, type WebhookAnswer, type WebhookRequest } from "#lib/flows/receive-webhook";
import { webhookIntake } from "#lib/http/body-intake";
import { announcedLength } from "#lib/http/raw-body";
import { addressOf } from "./address-of.ts";

/** How long a sender of too much may go on before the connection is cut. */
const LINGER_MS = 2000;

const PATH = /^\/webhooks\/([^/?#]+)\/?(?:\?|$)/;

/**
 * The source's name in a request's target.
 *
 * @returns null when the request is not for the receiver
 */
export function webhookSource(url: string | undefined): string | null {
  const [, name] = PATH.exec(url ?? "") ?? [];
  if (!name) return null;
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // no source is called that: the receiver answers 404
  }
}

/**
 * The receiver's native door: `node:http` straight to `receiveWebhook`, past
 * the framework. Answers every request that `webhookSource` knows.
 */
export async function webhookDoor(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Not destroyed on return: a body that is too large still gets its answer.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  const limits = { maxBytes: env().WEBHOOK_MAX_BYTES, contentLength: announcedLength(request.headers["content-length"]) };
  const { read, answer } = await webhookIntake().read(chunks, limits, async (body) => ({
    read: typeof body === "string" ? body : "whole",
    answer: body === "aborted" ? null : await receiveWebhook(plain(request, body)),
  }));
  if (answer === null) response.destroy();
  else if (read === "whole") response.writeHead(answer.status, headersOf(answer)).end(answer.body);
  else await answerUnread(request, response, answer, read === "too_slow");
}

const plain = (request: IncomingMessage, body: WebhookRequest["body"]): WebhookRequest => ({
  source: webhookSource(request.url) ?? "",
  method: request.method ?? "",
  headers: distinctHeaders(request),
  body,
  remoteAddress: addressOf(request),
});

const headersOf = (answer: WebhookAnswer) => ({ ...answer.headers, "content-length": Buffer.byteLength(answer.body) });

/** Answers a request whose body was not read to its end, and closes: what would come next on the connection is the body's rest. */
async function answerUnread(request: IncomingMessage, response: ServerResponse, answer: WebhookAnswer, cut: boolean): Promise<void> {
  response.writeHead(answer.status, { ...headersOf(answer), connection: "close" }).write(answer.body);
  if (!cut) await discardRest(request);
  response.end(() => cut && request.destroy());
}

/** Reads on for a moment: closing on bytes unread resets the connection, and the sender never sees its answer. */
function discardRest(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (request.readableEnded || request.destroyed) return resolve();
    const timer = setTimeout(resolve, LINGER_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    request.once("end", done).once("close", done).resume();
  });
}

/** Node joins repeated headers with commas; a signature that came twice must be seen as two. */
function distinctHeaders(request: IncomingMessage): Record<string, string | string[]> {
  const entries = Object.entries(request.headersDistinct).flatMap(([name, values = []]) => {
    const [first] = values;
    return first === undefined ? [] : [[name, values.length > 1 ? values : first] as const];
  });
  return Object.fromEntries(entries);
}

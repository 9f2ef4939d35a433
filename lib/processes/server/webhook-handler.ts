import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { env } from "#lib/config/env";
import { receiveWebhook } from "#lib/flows/ingest/receive-webhook";
import type { Receiver } from "#lib/flows/ingest/receiver";
import { queryOf, type WebhookAnswer, type WebhookRequest } from "#lib/flows/ingest/webhook-answers";
import { announcedLength } from "#lib/http/request-body";
import { answerUnread, clientIp } from "./request.ts";

/** Slashes too many, as bases with a slash at their end make them: senders follow no redirect. */
const PATH = /^\/+webhooks(?:\/+([^/?#]*))?\/*(?:\?|$)/;

/** Returns the source's name, empty where the URL has none; null if the request is not for the receiver. */
export function webhookSource(url: string | undefined): string | null {
  const path = PATH.exec(url ?? "");
  if (path === null) return null;
  const [, name = ""] = path;
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // no source has that name: the receiver answers 404 without a look-up
  }
}

/** Answers what `webhookSource` knows: `node:http` straight to `receiveWebhook`, past the framework. */
export function webhookHandler(receiver: Receiver): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const holdBack = delayAnswers();
  return async (request, response) => {
    const limits = { maxBytes: env().WEBHOOK_MAX_BYTES, contentLength: announcedLength(request.headers["content-length"]) };
    const { read, answer } = await receiver.bodies.read(request, limits, async (body) => ({
      read: typeof body === "string" ? body : "whole",
      answer: body === "aborted" ? null : await receiveWebhook(receiver, plain(request, body)),
    }));
    if (answer?.heldBack) await holdBack();
    if (answer === null) response.destroy();
    else if (read === "whole") response.writeHead(answer.status, headersOf(answer)).end(answer.body);
    else await answerUnread(request, response, answer, read === "too_slow");
  };
}

/** Thousands of connections that ask again as soon as they are answered would fill every turn of this process. */
const HOLD_MS = { least: 1000, most: 3000 };
/** More are not held: each keeps a few kilobytes. */
const MAX_HELD = 10_000;

function delayAnswers(): () => Promise<void> {
  let held = 0;
  return async () => {
    if (held >= MAX_HELD) return;
    held += 1;
    await sleep(HOLD_MS.least + Math.random() * (HOLD_MS.most - HOLD_MS.least)); // not all in the same turn
    held -= 1;
  };
}

const plain = (request: IncomingMessage, body: WebhookRequest["body"]): WebhookRequest => ({
  source: webhookSource(request.url) ?? "",
  query: queryOf(request.url ?? ""),
  method: request.method ?? "",
  headers: distinctHeaders(request),
  body,
  remoteAddress: clientIp(request),
});

const headersOf = (answer: WebhookAnswer) => ({ ...answer.headers, "content-length": Buffer.byteLength(answer.body) });

/** Keeps repeated headers apart, which Node joins by commas: a signature sent twice must be seen as two. */
function distinctHeaders({ rawHeaders }: IncomingMessage): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null); // a header may be called __proto__
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = [rawHeaders[at]?.toLowerCase(), rawHeaders[at + 1]];
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  }
  return headers;
}

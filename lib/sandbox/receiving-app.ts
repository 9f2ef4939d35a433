import { createHmac, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { env } from "#lib/config/env";
import { expectFound } from "#lib/contracts/api/app-error";
import { storableText } from "#lib/contracts/api/plain-text";
import { HIDDEN } from "#lib/contracts/safe-urls";
import type { ReceivedSignature, ReceiverBehaviour, ReceivingApp } from "#lib/contracts/sandbox";
import { bodyTextOf } from "#lib/http/request-body";
import { passedHeaders } from "#lib/platform/schemes/sender-requests";
import {
  countRequest,
  findReceiver,
  insertReceived,
  listReceived,
  openReceiverSecrets,
  readSigningSecrets,
  type StoredReceiver,
} from "./sandbox-store.ts";

const KEPT_CHARACTERS = 16_384;
/** Requests beyond this number are answered at once. */
const MAX_WAITING = 200;
let waiting = 0;

/** Verifies, waits and answers as set. An invalid signature gets 401 whatever is set, as from a real application. */
export async function receiveForwarded(id: string, request: Request): Promise<Response> {
  const receiver = await expectFound(countRequest(id), "receiving app at this URL");
  const body = await bodyTextOf(request);
  const headers = Object.fromEntries(request.headers);
  const signature = verifyReceived(headers, body, await keysOf(receiver));
  await pause(receiver.behaviour.delayMs);
  const answer = answerOf(receiver, signature);
  await insertReceived(receiver.id, {
    ...{ eventId: headers["signalbox-event-id"] ?? null, type: headers["signalbox-event-type"] ?? null },
    ...{ deliveryId: headers["signalbox-delivery-id"] ?? null, attempt: numberOf(headers["signalbox-attempt"]) },
    ...{ signature, status: answer.status, headers: shownHeaders(headers), body: storableText(body.slice(0, KEPT_CHARACTERS)) },
  });
  return answer;
}

/** Set by Signalbox, the connection or a proxy. */
const SHOWN =
  /^(accept|accept-encoding|connection|content-.*|forwarded|host|signalbox-.*|traceparent|user-agent|via|webhook-.*|x-forwarded-.*|x-webhook-signature)$/;

/** Hides the headers that a destination adds, such as a gateway's key: Signalbox shows their values nowhere. */
function shownHeaders(headers: Record<string, string>): Record<string, string> {
  const sent = passedHeaders(headers, undefined);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SHOWN.test(name) || sent[name] !== undefined ? value : HIDDEN]),
  );
}

async function keysOf({ id, workspaceId }: StoredReceiver) {
  const [signed, platform] = await Promise.all([openReceiverSecrets(workspaceId, id), readSigningSecrets(workspaceId, "web")]);
  return { signed, platform: platform ? [platform.current, ...(platform.before === null ? [] : [platform.before])] : [] };
}

async function pause(ms: number): Promise<void> {
  if (ms === 0 || waiting >= MAX_WAITING) return;
  waiting += 1;
  await sleep(ms).finally(() => {
    waiting -= 1;
  });
}

function answerOf({ behaviour, requests }: StoredReceiver, signature: ReceivedSignature): Response {
  if (signature !== "verified") return text(401, signature === "missing" ? "The signature is missing." : "The signature does not match.");
  return ANSWERS[behaviour.answer](behaviour, requests);
}

const ANSWERS: Record<ReceiverBehaviour["answer"], (behaviour: ReceiverBehaviour, requests: number) => Response> = {
  ok: () => text(200, "Received."),
  fail_every: ({ every, status }, requests) =>
    requests % every === 0 ? text(status, `Request ${requests} fails.`) : text(200, "Received."),
  status: ({ status }) => text(status, "Every request fails."),
  gone: () => text(410, "This endpoint is gone."),
  redirect: () => new Response(null, { status: 302, headers: { location: `${env().APP_URL}/sandbox/receiving-app` } }),
};

const text = (status: number, words: string) =>
  new Response(words, { status, headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" } });

const numberOf = (value: string | undefined): number | null => (/^\d{1,9}$/.test(value ?? "") ? Number(value) : null);

type ReceiverKeys = { signed: string[]; platform: string[] };

/** Verifies like a receiver that knows nothing of Signalbox: by the library of Standard Webhooks, or by the platform's scheme. */
function verifyReceived(headers: Record<string, string>, body: string, { signed, platform }: ReceiverKeys): ReceivedSignature {
  if (headers["webhook-signature"] !== undefined) return signed.some((secret) => isStandard(secret, headers, body)) ? "verified" : "wrong";
  const given = headers["x-webhook-signature"];
  if (given === undefined) return "missing";
  return platform.some((secret) => isPlatforms(secret, given, body)) ? "verified" : "wrong";
}

function isStandard(secret: string, headers: Record<string, string>, body: string): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

function isPlatforms(secret: string, given: string, body: string): boolean {
  const expected = createHmac("sha256", secret).update(body).digest();
  const bytes = Buffer.from(given, "hex");
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

const NEWEST = 100;
const AT_FIRST: ReceiverBehaviour = { answer: "ok", every: 3, status: 500, delayMs: 0 };

export async function readReceivingApp(workspaceId: string): Promise<ReceivingApp> {
  const receiver = await findReceiver(workspaceId);
  if (!receiver) return { url: null, behaviour: AT_FIRST, requests: 0, received: [] };
  const { id, behaviour, requests } = receiver;
  return { url: `${env().APP_URL}/sandbox/receiving-app/${id}`, behaviour, requests, received: await listReceived(id, NEWEST) };
}

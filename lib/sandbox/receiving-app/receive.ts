import { setTimeout as sleep } from "node:timers/promises";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import { storableText } from "#lib/contracts/api/plain-text";
import type { ReceivedSignature, ReceiverBehaviour } from "#lib/contracts/forwarding/receiving-app";
import { bodyTextOf } from "#lib/http/body/request-body";
import { readSigningSecrets } from "../webhooks/signing-secret-store.ts";
import { countRequest, insertReceived, openReceiverSecrets, type StoredReceiver } from "./receiver-store.ts";
import { verifyReceived } from "./verify-received.ts";

const KEPT_CHARACTERS = 16_384;
/** Requests beyond this number are answered at once. */
const MAX_WAITING = 200;
let waiting = 0;

/** Verifies, waits and answers as set. An invalid signature gets 401 whatever is set, as from a real application. */
export async function receiveForwarded(id: string, request: Request): Promise<Response> {
  const receiver = await countRequest(id);
  if (!receiver) throw new AppError("not_found", "There is no receiving app at this URL.");
  const body = await bodyTextOf(request);
  const headers = Object.fromEntries(request.headers);
  const signature = verifyReceived(headers, body, await keysOf(receiver));
  await pause(receiver.behaviour.delayMs);
  const answer = answerOf(receiver, signature);
  await insertReceived(receiver.id, {
    ...{ eventId: headers["signalbox-event-id"] ?? null, type: headers["signalbox-event-type"] ?? null },
    ...{ deliveryId: headers["signalbox-delivery-id"] ?? null, attempt: numberOf(headers["signalbox-attempt"]) },
    ...{ signature, status: answer.status, headers, body: storableText(body.slice(0, KEPT_CHARACTERS)) },
  });
  return answer;
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

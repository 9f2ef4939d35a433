import { receiveWebhook } from "#lib/flows/ingest/receive-webhook";
import type { Receiver } from "#lib/flows/ingest/receiver";
import type { WebhookAnswer } from "#lib/flows/ingest/webhook-answers";
import { untilTaken } from "./impatient-sender.ts";

type Sent = { source: string; headers: Record<string, string>; body: string };

/** Receives a webhook that is sent again while its answer is 503, as the platform does: a busy machine says that first. @returns the first other answer */
export function receiveUntilKept(receiver: Receiver, { source, headers, body }: Sent): Promise<WebhookAnswer> {
  const request = { source, method: "POST", headers, remoteAddress: null, body: Buffer.from(body) };
  return untilTaken(() => receiveWebhook(receiver, request));
}

import { env } from "#lib/config/env";
import { newId } from "#lib/contracts/api/ids";
import type { SenderEventBody, SenderEventSent } from "#lib/contracts/sandbox-senders";
import type { SourceSender } from "#lib/platform/schemes/passed-headers";
import { insertDone } from "#lib/sandbox/webhooks/deliveries-store";
import { post } from "#lib/sandbox/webhooks/post-webhook";
import { senderRequests } from "./sender-requests.ts";

/**
 * Sends an event to a source over HTTP, as its sender would, and waits for the answers. The secret is what a person
 * entered, as they would at the sender; it is not kept.
 *
 * @throws AppError `invalid_request` for what can't be sent
 */
export async function sendAs(workspaceId: string, sender: SourceSender, asked: SenderEventBody, now: Date): Promise<SenderEventSent> {
  const { APP_URL, WEBHOOK_URL } = env();
  const id = newId("evt_test");
  const requests = senderRequests(asked, { sender, url: `${WEBHOOK_URL}/webhooks/${asked.source}`, id, now });
  const answered: SenderEventSent["requests"] = [];
  for (const { body, headers, query } of requests) {
    const { status, answer } = await post(`${APP_URL}/webhooks/${asked.source}${query}`, Buffer.from(body), headers);
    await insertDone(workspaceId, {
      eventId: eventIdIn(answer) ?? id,
      type: asked.source,
      body,
      fault: asked.fault ?? null,
      status,
      answer,
    });
    answered.push({ status, answer });
  }
  return { requests: answered };
}

/** The event's ID, where the receiver's answer has one: it may have made it itself. */
const eventIdIn = (answer: string): string | undefined => /^\{"received":true,.*?"id":"([^"\\]+)"/.exec(answer)?.[1];

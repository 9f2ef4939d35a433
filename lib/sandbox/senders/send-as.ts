import { env } from "#lib/config/env";
import { newId } from "#lib/contracts/api/ids";
import type { SenderEventBody, SenderEventSent } from "#lib/contracts/sandbox-senders";
import type { SourceSender } from "#lib/platform/schemes/passed-headers";
import { insertDone } from "#lib/sandbox/webhooks/deliveries-store";
import { post } from "#lib/sandbox/webhooks/post-webhook";
import { senderRequests } from "./sender-requests.ts";

/** Sends an event over HTTP, as its sender would. The secret that a person entered is not kept. Throws `invalid_request`. */
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

/** Finds the event's ID in the receiver's answer: the receiver may have created it. */
const eventIdIn = (answer: string): string | undefined => /^\{"received":true,.*?"id":"([^"\\]+)"/.exec(answer)?.[1];

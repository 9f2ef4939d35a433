import { createHmac } from "node:crypto";
import { Agent } from "undici";
import { ExactNumber } from "#lib/contracts/exact-json";
import { headersOf, OTHER_SENDERS } from "./other-senders.ts";

/** One webhook to send; what the platform would keep in its own queue until it sees a 2xx. */
export type Webhook = {
  eventId: string;
  documentId: string;
  /** Sent by the platform: another sender's event shows in no record, whatever document it names. */
  ofPlatform: boolean;
  path: string;
  body: string;
  /** Signed anew for each try, as the sender does. */
  headers: () => Record<string, string>;
};

export function platformWebhook(eventId: string, documentId: string, body: string, secret: string): Webhook {
  const headers = { "x-webhook-signature": createHmac("sha256", secret).update(body).digest("hex") };
  return { eventId, documentId, ofPlatform: true, path: "/webhooks/platform", body, headers: () => headers };
}

/** A number that no double holds: a record has its digits only where each that reads or writes it keeps them. */
const accountOf = (n: number) => new ExactNumber(String(2n ** 60n + 1n + 2n * BigInt(n)));

/**
 * Documents of two events each, shuffled by a seeded generator so that a run can be made again. Of five documents two are named
 * by other senders alone, in events that are called like the platform's.
 */
export function makeWebhooks(count: number, seed: number, secret: string): Webhook[] {
  const random = mulberry32(seed);
  const webhooks = Array.from({ length: count }, (_, n): Webhook => {
    const documentId = `doc_${seed}_${Math.floor(n / 2)}`;
    const [type, data] =
      n % 2 === 0
        ? ["document.uploaded", { documentId, fileName: `${n}.pdf` }]
        : ["document.processed", { documentId, organizationId: "org_1", status: "completed", metadata: { n, account: accountOf(n) } }];
    const eventId = `evt_${seed}_${n}`;
    const body = JSON.stringify({ id: eventId, type, created: 1_760_000_000 + n, data });
    const other = OTHER_SENDERS[(Math.floor(n / 2) % 5) - 3];
    if (!other) return platformWebhook(eventId, documentId, body, secret);
    const headers = () => headersOf(other, eventId, String(type), body);
    return { eventId, documentId, ofPlatform: false, path: `/webhooks/${other.name}`, body, headers };
  });
  for (let at = webhooks.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const [a, b] = [webhooks[at], webhooks[other]];
    if (a && b) [webhooks[at], webhooks[other]] = [b, a];
  }
  return webhooks;
}

/** A small seeded generator (mulberry32): numbers in [0, 1). */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Sends the webhooks, many at once, until `stop` says so or all are through.
 * Logs the ids that were acknowledged with a 2xx in `acknowledged`.
 *
 * @returns those that were not acknowledged, for the next try
 */
export async function sendAll(
  url: string,
  webhooks: Webhook[],
  acknowledged: Map<string, number>,
  stop: () => boolean,
): Promise<Webhook[]> {
  const agent = new Agent({ connections: 32, headersTimeout: 15_000 });
  const queue = [...webhooks];
  const missed: Webhook[] = [];
  const send = async () => {
    for (let webhook = queue.shift(); webhook; webhook = queue.shift()) {
      const ok = !stop() && (await post(url, webhook, agent));
      if (ok) acknowledged.set(webhook.eventId, (acknowledged.get(webhook.eventId) ?? 0) + 1);
      else missed.push(webhook);
    }
  };
  await Promise.all(Array.from({ length: 32 }, send));
  await agent.destroy();
  return missed;
}

async function post(url: string, webhook: Webhook, dispatcher: Agent): Promise<boolean> {
  try {
    const { statusCode, body } = await dispatcher.request({
      origin: url,
      path: webhook.path,
      method: "POST",
      headers: { "content-type": "application/json", ...webhook.headers() },
      body: webhook.body,
    });
    await body.dump();
    return statusCode >= 200 && statusCode < 300;
  } catch {
    return false; // the connection broke: not acknowledged, so it is sent again
  }
}

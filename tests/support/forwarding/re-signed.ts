import type { KnownTemplate } from "#lib/contracts/sources/templates";
import { requestOf } from "#lib/forwarding/attempt/outgoing-request";
import { NOW, SENDERS, SHOPIFY_HEADERS } from "../senders.ts";
import { targetUrl } from "../target-url.ts";

/** Long after every tolerance, as a retry may come. */
export const HOURS_LATER = NOW + 6 * 3_600_000;
export const TARGET = "https://app.example.com/hooks?tenant=7";

/** A sender's request as it was stored. */
export function receivedFrom(template: KnownTemplate) {
  const { body, settings = {}, signedByThem } = SENDERS[template];
  const headers: Record<string, string> = { ...signedByThem };
  if (template === "shopify") Object.assign(headers, SHOPIFY_HEADERS);
  if (template === "twilio") headers["content-type"] = "application/x-www-form-urlencoded";
  const sender = { template, scheme: settings, reading: null };
  return { deliveryId: "dlv_1", number: 4, sourceId: "src_1", eventId: "evt_1", type: "a.b", body: Buffer.from(body), headers, sender };
}

/** The request that a destination which re-signs gets of it. */
export function reSigned(event: ReturnType<typeof receivedFrom>, secrets: string[], at = HOURS_LATER) {
  const target = targetUrl(TARGET);
  const { path, headers, body, secrets: hidden } = requestOf(event, { mode: "re_sign", secrets }, target, new Date(at));
  return { url: target.origin + path, headers, body: Buffer.from(body).toString(), secrets: hidden };
}

import { createHash, createHmac, randomBytes } from "node:crypto";
import type { DestinationMode } from "#lib/contracts/forwarding/destinations";

/** Present signing of a destination's requests: with the opened secrets that sign, the newest first; none in pass-through mode. */
export type Signing = { mode: DestinationMode; secrets: readonly string[] };

const PREFIX = "whsec_";
const KEY_BYTES = 32;

/** A new signing secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const newSigningSecret = (): string => PREFIX + randomBytes(KEY_BYTES).toString("base64");

/**
 * The id of a message: the same over all attempts to send the same, so that a
 * receiver can tell what it has seen. It has no dots, which separate what is signed.
 *
 * @param from what it comes from: an event's source, an alert's channel
 * @param what it tells of: the event's id, the ids of what is sent
 */
export function messageId(from: string, what: string): string {
  return `msg_${createHash("sha256").update(`${from}\n${what}`).digest("hex").slice(0, 40)}`;
}

/** The headers of a signed message (Standard Webhooks, "Webhook headers"). */
export function signedHeaders(id: string, now: Date, body: Uint8Array, secrets: readonly string[]): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatureHeader(id, timestamp, body, secrets),
  };
}

/**
 * The value of `webhook-signature` (Standard Webhooks, "Signature scheme"): one
 * `v1,` signature for each active secret, over `id.timestamp.body`.
 *
 * @param timestamp Unix seconds
 */
function signatureHeader(id: string, timestamp: number, body: Uint8Array, secrets: readonly string[]): string {
  const sign = (secret: string) =>
    createHmac("sha256", Buffer.from(secret.slice(PREFIX.length), "base64"))
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest("base64");
  return secrets.map((secret) => `v1,${sign(secret)}`).join(" ");
}

import { createHash, createHmac, randomBytes } from "node:crypto";
import type { DestinationMode } from "#lib/contracts/forwarding/destinations";

/** `secrets`: opened, the newest first; none in pass-through mode. */
export type Signing = { mode: DestinationMode; secrets: readonly string[] };

const PREFIX = "whsec_";
const KEY_BYTES = 32;

/** Returns a secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const newSigningSecret = (): string => PREFIX + randomBytes(KEY_BYTES).toString("base64");

/** Returns the same ID for every attempt to send the same, for the receiver to compare; without dots, which separate signed parts. */
export function messageId(from: string, what: string): string {
  return `msg_${createHash("sha256").update(`${from}\n${what}`).digest("hex").slice(0, 40)}`;
}

/** Returns the headers of a signed message (Standard Webhooks, "Webhook headers"). */
export function signedHeaders(id: string, now: Date, body: Uint8Array, secrets: readonly string[]): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatureHeader(id, timestamp, body, secrets),
  };
}

/** Returns one `v1,` signature per secret over `id.timestamp.body` (Standard Webhooks, "Signature scheme"); `timestamp` in Unix seconds. */
function signatureHeader(id: string, timestamp: number, body: Uint8Array, secrets: readonly string[]): string {
  const sign = (secret: string) =>
    createHmac("sha256", Buffer.from(secret.slice(PREFIX.length), "base64"))
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest("base64");
  return secrets.map((secret) => `v1,${sign(secret)}`).join(" ");
}

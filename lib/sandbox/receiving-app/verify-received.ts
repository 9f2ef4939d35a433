import { createHmac, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { ReceivedSignature } from "#lib/contracts/forwarding/receiving-app";

/** Keys that an application of the workspace's own would verify with. */
export type ReceiverKeys = { signed: string[]; platform: string[] };

/**
 * Verifies a request as a receiver does that knows nothing of Signalbox: by the
 * library of Standard Webhooks where its headers are there, else by the
 * platform's own scheme (hex HMAC-SHA256 of the body).
 */
export function verifyReceived(headers: Record<string, string>, body: string, { signed, platform }: ReceiverKeys): ReceivedSignature {
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

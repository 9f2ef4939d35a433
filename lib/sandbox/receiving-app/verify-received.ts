import { createHmac, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { ReceivedSignature } from "#lib/contracts/forwarding/receiving-app";

export type ReceiverKeys = { signed: string[]; platform: string[] };

/** Verifies like a receiver that knows nothing of Signalbox: by the library of Standard Webhooks, or by the platform's scheme. */
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

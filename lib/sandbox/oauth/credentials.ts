import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A new opaque credential: 256 random bits, base64url, behind a prefix that says what it is. */
export const newCredential = (prefix: string): string => `${prefix}_${randomBytes(32).toString("base64url")}`;

/** Returns what is stored of a credential: its SHA-256, hex. The credential has 256 bits, so no salt is needed. */
export const credentialHash = (credential: string): string => createHash("sha256").update(credential).digest("hex");

/** Compares two texts in a time that reveals nothing about either, their lengths included. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

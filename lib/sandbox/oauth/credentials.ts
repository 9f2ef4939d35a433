import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Returns 256 random bits, base64url, after the prefix. */
export const newCredential = (prefix: string): string => `${prefix}_${randomBytes(32).toString("base64url")}`;

/** Returns the SHA-256 that is stored, hex. A credential has 256 bits, so no salt is needed. */
export const credentialHash = (credential: string): string => createHash("sha256").update(credential).digest("hex");

/** Compares in a time that reveals nothing, lengths included. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

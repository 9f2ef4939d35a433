import { createHash, randomBytes } from "node:crypto";

/** A random value that is handed out once (session id, set-up link, OAuth state): 32 bytes, base64url. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/**
 * Returns what we keep of such a value: its SHA-256 in hexadecimal. Plain hashing is
 * enough because the value is random; never use it for a password.
 */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex");

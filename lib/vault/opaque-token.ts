import { createHash, randomBytes } from "node:crypto";

/** Returns a random value that is handed out once (session ID, set-up link, OAuth state): 32 bytes, base64url. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/** Returns the stored form: SHA-256, hex. Enough because the value is random; never use it for a password. */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex");

import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from "jose";
import { activeKey, keyById } from "./key-ring.ts";
import { VaultError } from "./vault-error.ts";

/** Part of the authenticated data: a ciphertext moved to another row does not open. */
export type SealContext = { workspaceId: string; table: string; row: string; field: string };

const KEY_WRAP = "A256GCMKW";
const CONTENT = "A256GCM";

/** Seals a secret (JWE compact, RFC 7516; a fresh content key each time, wrapped by the active key). Throws VaultError `no_key`. */
export async function seal(plaintext: string, context: SealContext): Promise<{ sealed: string; keyId: string }> {
  const { kid, key } = activeKey();
  const sealed = await new CompactEncrypt(new TextEncoder().encode(plaintext))
    .setProtectedHeader({ alg: KEY_WRAP, enc: CONTENT, kid, ctx: contextText(context) })
    .encrypt(key);
  return { sealed, keyId: kid };
}

/** Opens a value sealed for the same place. Throws VaultError `key_unknown`, `tampered` or `wrong_context`. */
export async function open(sealed: string, context: SealContext): Promise<string> {
  assertCanonical(sealed);
  const { key } = keyById(keyIdOf(sealed));
  const { plaintext, protectedHeader } = await decrypt(sealed, key);
  // Compared only now, when the header is known to be authentic.
  if (protectedHeader.ctx !== contextText(context)) throw new VaultError("wrong_context", "This value was encrypted for another place.");
  return new TextDecoder("utf-8", { fatal: true }).decode(plaintext);
}

async function decrypt(sealed: string, key: Uint8Array) {
  try {
    return await compactDecrypt(sealed, key, { keyManagementAlgorithms: [KEY_WRAP], contentEncryptionAlgorithms: [CONTENT] });
  } catch (cause) {
    throw tampered(cause);
  }
}

/** Returns the key in the header, which is not verified yet. Throws VaultError `tampered`. */
export function keyIdOf(sealed: string): string {
  try {
    return String(decodeProtectedHeader(sealed).kid);
  } catch (cause) {
    throw tampered(cause);
  }
}

/** Rejects other spellings of one secret: decoders ignore the unused bits of a last base64 character. */
function assertCanonical(sealed: string): void {
  const parts = sealed.split(".");
  const canonical = parts.length === 5 && parts.every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
  if (!canonical) throw tampered();
}

function contextText({ workspaceId, table, row, field }: SealContext): string {
  const parts = [workspaceId, table, row, field];
  if (parts.some((part) => part === "" || part.includes("|")))
    throw new VaultError("wrong_context", "A place must have four names without bars.");
  return parts.join("|");
}

const tampered = (cause?: unknown) => new VaultError("tampered", "The encrypted value was modified or truncated.", { cause });
